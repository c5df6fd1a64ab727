import requests from './en/requests.json'
import signatures from './en/signatures.json'
import tokens from './en/tokens.json'
import type { TextsOfTables } from './texts-of-tables.ts'

export default { ...requests, ...signatures, ...tokens } satisfies Pick<TextsOfTables, 'signatures'>
