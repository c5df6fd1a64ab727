import type { Call, HeaderPart } from './call.ts'
import { shellText } from './literals.ts'

/** A command for a POSIX shell. */
export function curlOf({ method, url, headers, body, hasType }: Call): string {
  const lines = [`curl -g --path-as-is ${methodOf(method, body)}${shellText(url)}`]
  for (const { name, parts } of headers) lines.push(`-H ${headerOf(name, parts)}`)
  if (body !== null) {
    if (!hasType) lines.push("-H 'content-type:'")
    lines.push(`--data-raw ${shellText(body)}`)
  }
  return lines.join(' \\\n  ')
}

function methodOf(method: string, body: string | null): string {
  if (method === 'HEAD') return '-I '
  const usual = body === null ? 'GET' : 'POST'
  return method === usual ? '' : `-X ${method} `
}

/** A header without a value ends with a semicolon. */
function headerOf(name: string, parts: HeaderPart[]): string {
  const [first] = parts
  if (!first || (parts.length === 1 && 'text' in first && first.text.trim() === ''))
    return shellText(`${name};`)
  const words = parts.map((part, i) => {
    const text = (i === 0 ? `${name}: ` : '') + ('text' in part ? part.text : '')
    return (text && shellText(text)) + ('variable' in part ? `"$${part.variable}"` : '')
  })
  return words.join('')
}
