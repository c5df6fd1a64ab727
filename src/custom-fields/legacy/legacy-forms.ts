import { lenient } from '../../http/bodies/lenient-bodies.ts'
import { parseNestedForm } from '../../http/bodies/nested-form.ts'
import { FieldsSet } from './legacy-schemas.ts'

/** `request[fields][add][0][enums][0]` */
const DEPTH = 5
const NUMBERS = ['id', 'request_id', 'type', 'element_type', 'disabled']

/** Reads the body of `fields/set` from a form. Numbers are parsed from their digits. Throws Refusal('invalid'). */
export function readFieldsForm(bytes: Buffer): unknown {
  const form = parseNestedForm(bytes, DEPTH)
  const body = lenient(FieldsSet)(form) as { request?: { fields?: Record<string, unknown> } }
  for (const entries of Object.values(body.request?.fields ?? {}))
    if (Array.isArray(entries)) entries.forEach(readNumbers)
  return body
}

function readNumbers(entry: unknown): void {
  if (typeof entry !== 'object' || entry === null) return
  const members = entry as Record<string, unknown>
  for (const name of NUMBERS) {
    const value = members[name]
    if (typeof value === 'string' && /^-?\d{1,15}$/.test(value)) members[name] = Number(value)
  }
}

/** Reads `disabled` of added fields, which some clients send as a boolean in JSON (F12). Leaves everything else as it is. */
export function readDisabledFlags(body: unknown): void {
  const { request } = (body ?? {}) as { request?: { fields?: { add?: unknown } | null } | null }
  const added = request?.fields?.add
  if (!Array.isArray(added)) return
  for (const entry of added) if (typeof entry?.disabled === 'boolean') entry.disabled = Number(entry.disabled)
}
