/** A form-encoded body in a readable form: a line for each member. */
export const formLines = (body: string): string =>
  [...new URLSearchParams(body)].map(([name, value]) => `${name} = ${value}`).join('\n')
