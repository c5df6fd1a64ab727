/** The public API of the slice: which mistake is in the signature of a request. */

export { checkSignature } from './check.ts'
export { explainRefused } from './refused-signature.ts'
