import type { Call, HeaderPart } from './call.ts'
import { phpText } from './literals.ts'

/** A script for PHP with its curl extension. */
export function phpOf({ method, url, headers, body, hasType }: Call): string {
  const lines = headers.map(({ name, parts }) => `        ${headerOf(name, parts)},`)
  if (body !== null && !hasType) lines.push("        'content-type:',")
  return [
    '<?php',
    '',
    `$request = curl_init(${phpText(url)});`,
    'curl_setopt_array($request, [',
    `    CURLOPT_CUSTOMREQUEST => ${phpText(method)},`,
    ...(method === 'HEAD' ? ['    CURLOPT_NOBODY => true,'] : []),
    '    CURLOPT_PATH_AS_IS => true,',
    '    CURLOPT_HTTPHEADER => [',
    ...lines,
    '    ],',
    ...(body === null ? [] : [`    CURLOPT_POSTFIELDS => ${phpText(body)},`]),
    '    CURLOPT_RETURNTRANSFER => true,',
    ']);',
    '$answer = curl_exec($request);',
    "echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;",
  ].join('\n')
}

/** A header without a value ends with a semicolon. */
function headerOf(name: string, parts: HeaderPart[]): string {
  const isEmpty = parts.every((part) => 'text' in part && part.text.trim() === '')
  if (isEmpty) return phpText(`${name};`)
  const [first, ...others] = parts as [HeaderPart, ...HeaderPart[]]
  const start = 'text' in first ? [{ text: `${name}: ${first.text}` }] : [{ text: `${name}: ` }, first]
  return [...start, ...others]
    .map((part) => ('text' in part ? phpText(part.text) : `getenv('${part.variable}')`))
    .join(' . ')
}
