/** The code of a shell for a program that SIGPIPE has ended. */
const EXIT_NO_READER = 141

/**
 * Ends the program when standard output cannot be written: without a word if its reader has gone (`patchbay requests tail |
 * head`), otherwise with the reason. Work in a transaction is rolled back (P8).
 */
export function endWithOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT_NO_READER)
    process.stderr.write(`Standard output: ${error.message}\n`)
    process.exit(1)
  })
}

/** Lets a server go on without its standard output, which can be on a full disk. */
export function goOnWithoutOutput(): void {
  process.stdout.removeAllListeners('error').on('error', () => {})
}
