/**
 * Loaded before the program (`--import`): its clock runs CLOCK_SPEED times as fast as the machine's, counted from
 * CLOCK_BEGAN, so that what waits for a minute is seen in seconds. Timers run as they do.
 */
const { CLOCK_BEGAN, CLOCK_SPEED } = process.env
const machine = Date.now
Date.now = () => Math.floor(Number(CLOCK_BEGAN) + (machine() - Number(CLOCK_BEGAN)) * Number(CLOCK_SPEED))
