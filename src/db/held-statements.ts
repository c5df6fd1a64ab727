/** The parameters of statements whose result nobody reads. */
const held = new WeakSet<readonly unknown[]>()

/**
 * Marks a statement of a transaction, by its parameters, as one whose result nobody reads. PostgreSQL gets it together with the
 * next statement of the transaction or with its commit (`watched-client.ts`). If it fails, that one fails with its error, so
 * it must not be a statement whose error is caught within the transaction.
 */
export function holdBack<P extends readonly unknown[]>(parameters: P): P {
  held.add(parameters)
  return parameters
}

export const isHeldBack = (parameters: readonly unknown[]): boolean => held.has(parameters)
