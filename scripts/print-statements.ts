import { reportStatements } from '../bench/statements.ts'

/**
 * Prints every SQL statement with its values: `node --import ./scripts/print-statements.ts src/main.ts dev`. Only for
 * debugging, because values include personal data.
 */
reportStatements(
  ({ sql, values }) => process.stderr.write(`${sql}\n  ${JSON.stringify(values)}\n`),
  ['all', 'get', 'iterate', 'run'],
)
