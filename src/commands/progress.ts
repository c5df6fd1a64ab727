/** Shows the progress of a long command on one terminal line; prints nothing elsewhere. */
export function showProgress(what: string, done: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${what}: ${done}\u001b[K`)
}
