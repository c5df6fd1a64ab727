import files from './es/files.json'
import requests from './es/requests.json'
import retention from './es/retention.json'
import signatures from './es/signatures.json'
import tokens from './es/tokens.json'
import type { TextsOfTables } from './texts-of-tables.ts'

export default { ...files, ...requests, ...retention, ...signatures, ...tokens } satisfies Pick<
  TextsOfTables,
  'signatures'
>
