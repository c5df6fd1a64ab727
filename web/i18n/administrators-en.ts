import files from './en/files.json'
import requests from './en/requests.json'
import retention from './en/retention.json'
import signatures from './en/signatures.json'
import tokens from './en/tokens.json'
import type { TextsOfTables } from './texts-of-tables.ts'

export default { ...files, ...requests, ...retention, ...signatures, ...tokens } satisfies Pick<
  TextsOfTables,
  'signatures'
>
