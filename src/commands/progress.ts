/** Shows how far a long command is, on one line of a terminal and not at all elsewhere. */
export function showProgress(what: string, done: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${what}: ${done}\u001b[K`)
}
