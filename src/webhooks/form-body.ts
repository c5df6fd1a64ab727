import { stringify } from 'qs'

/** A body before it is encoded. Null and undefined members and empty lists are left out; booleans are 1 and 0. */
export type FormValue = string | number | boolean | null | undefined | readonly FormValue[] | FormObject
export interface FormObject {
  readonly [name: string]: FormValue
}

/**
 * Encodes a body as PHP's `http_build_query` does (docs/wire/webhooks.md#request): nested names in brackets, everything
 * but letters, digits, `-`, `_` and `.` percent-encoded, and `+` for a space.
 */
export const formBody = (body: FormObject): string =>
  stringify(body, {
    encoder: (text: unknown) => encode(typeof text === 'boolean' ? Number(text) : text),
    skipNulls: true,
  })

const encode = (text: unknown): string =>
  encodeURIComponent(String(text).toWellFormed())
    .replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
