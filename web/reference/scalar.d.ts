/** The address of the renderer of the reference (scripts/scalar-plugin.ts), which puts `Scalar` into the page. */
declare module 'virtual:scalar' {
  const address: string
  export default address
}

interface ScalarReference {
  updateConfiguration(options: Record<string, unknown>): void
}

declare var Scalar: {
  createApiReference(element: HTMLElement, options: Record<string, unknown>): ScalarReference
}
