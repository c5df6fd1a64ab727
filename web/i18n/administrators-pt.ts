import files from './pt/files.json'
import requests from './pt/requests.json'
import retention from './pt/retention.json'
import signatures from './pt/signatures.json'
import tokens from './pt/tokens.json'
import type { TextsOfTables } from './texts-of-tables.ts'

export default { ...files, ...requests, ...retention, ...signatures, ...tokens } satisfies Pick<
  TextsOfTables,
  'signatures'
>
