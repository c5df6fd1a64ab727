/** The signals that stop a server. A terminal that closes sends SIGHUP; nohup cannot prevent it, because Node takes it back. */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Whether a signal ends a server at once that is stopping. The system and the shell of a closing terminal both send SIGHUP. */
export const endsAtOnce = (signal: string): boolean => signal !== 'SIGHUP'

/**
 * Whether a process was ended by such a signal. A server process takes them until its very last moment, so it has stopped in
 * order.
 */
export const isStopSignal = (signal: string | null): boolean => STOP_SIGNALS.some((known) => known === signal)
