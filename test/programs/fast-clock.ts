/**
 * Loaded before the program (`--import`). Its clock runs CLOCK_SPEED times as fast as the machine's since CLOCK_BEGAN,
 * so that a wait of a minute takes seconds. Timers are unchanged.
 */
const { CLOCK_BEGAN, CLOCK_SPEED } = process.env
const machine = Date.now
Date.now = () => Math.floor(Number(CLOCK_BEGAN) + (machine() - Number(CLOCK_BEGAN)) * Number(CLOCK_SPEED))
