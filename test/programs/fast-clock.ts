/**
 * Loaded before the program (`--import`). Its clock runs CLOCK_SPEED times as fast as the machine's since CLOCK_BEGAN,
 * so that a wait of a minute takes seconds. SIGUSR2 sets it a minute forward. Timers are unchanged.
 *
 * A stream of the log compares this clock with the ages of transactions, which PostgreSQL measures. So it is exact only at
 * the speed of the machine, 1.
 */
const { CLOCK_BEGAN, CLOCK_SPEED } = process.env
const machine = Date.now
const began = Number(CLOCK_BEGAN)
let ahead = 0
process.on('SIGUSR2', () => {
  ahead += 60_000
})
Date.now = () => Math.floor(began + (machine() - began) * Number(CLOCK_SPEED)) + ahead
