import type { Call, HeaderPart } from './call.ts'
import { scriptText } from './literals.ts'

/** A script for Python with the library `requests`. */
export function pythonOf({ method, url, headers, body }: Call): string {
  const needsEnvironment = headers.some(({ parts }) => parts.some((part) => 'variable' in part))
  return [
    ...(needsEnvironment ? ['import os', ''] : []),
    'import requests',
    '',
    'answer = requests.request(',
    `    ${scriptText(method)},`,
    `    ${scriptText(url)},`,
    '    headers={',
    ...headers.map(({ name, parts }) => `        ${scriptText(name)}: ${expressionOf(parts)},`),
    '    },',
    ...(body === null ? [] : [`    data=${scriptText(body)}.encode(),`]),
    ')',
    'print(answer.status_code, answer.text)',
  ].join('\n')
}

const expressionOf = (parts: HeaderPart[]): string =>
  parts.map((part) => ('text' in part ? scriptText(part.text) : `os.environ['${part.variable}']`)).join(' + ')
