import files from './ru/files.json'
import requests from './ru/requests.json'
import retention from './ru/retention.json'
import signatures from './ru/signatures.json'
import tokens from './ru/tokens.json'
import type { TextsOfTables } from './texts-of-tables.ts'

export default { ...files, ...requests, ...retention, ...signatures, ...tokens } satisfies Pick<
  TextsOfTables,
  'signatures'
>
