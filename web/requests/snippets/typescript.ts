import type { Call, HeaderPart } from './call.ts'
import { scriptText } from './literals.ts'

/** A module for Node, Deno or Bun. */
export function typescriptOf({ method, url, headers, body, hasType }: Call): string {
  // `fetch` refuses a body with these methods.
  const sent = method === 'GET' || method === 'HEAD' ? null : body
  return [
    `const answer = await fetch(${scriptText(url)}, {`,
    `  method: ${scriptText(method)},`,
    '  headers: {',
    ...headers.map(({ name, parts }) => `    ${keyOf(name)}: ${expressionOf(parts)},`),
    '  },',
    ...(sent === null ? [] : [`  body: ${bodyOf(sent, hasType)},`]),
    '})',
    'console.log(answer.status, await answer.text())',
  ].join('\n')
}

/** A text has a type of its own, so a body without a type is sent as bytes. */
const bodyOf = (body: string, hasType: boolean): string =>
  hasType ? scriptText(body) : `new TextEncoder().encode(${scriptText(body)})`

const keyOf = (name: string): string => (/^[a-z]\w*$/i.test(name) ? name : scriptText(name))

const expressionOf = (parts: HeaderPart[]): string =>
  parts.map((part) => ('text' in part ? scriptText(part.text) : `process.env.${part.variable}`)).join(' + ')
