/** By operationId: a request body and the body of its response. */
export type Examples = Record<string, { request?: unknown; response?: unknown }>

/** Reads the examples, which `test/openapi/examples.test.ts` writes and checks. Only the description needs them. */
export async function readExamples(): Promise<Examples> {
  const { default: examples } = await import('./examples.json', { with: { type: 'json' } })
  return examples
}
