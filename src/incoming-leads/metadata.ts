import type { Static } from 'typebox'
import type { WrittenMetadata } from '../entities/writing/incoming-schemas.ts'
import type { WrittenCategory } from './categories.ts'

type Written = Static<(typeof WrittenMetadata)['sip']> & Static<(typeof WrittenMetadata)['forms']>

/** Integrations send texts as numbers. */
const text = (value: string | number | null | undefined): string | null =>
  value === undefined || value === null ? null : String(value)

/** Integrations send times and seconds as texts. */
const number = (value: string | number | null | undefined): number | null =>
  value === undefined || value === null ? null : Number(value)

const present = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))

const shapes: Record<WrittenCategory, (written: Written, now: number) => Record<string, unknown>> = {
  sip: (call, now) => ({
    ...present({ from: text(call.from), phone: text(call.phone) }),
    called_at: number(call.called_at) ?? now,
    ...present({ duration: number(call.duration) }),
    link: call.link || null,
    ...present({
      service_code: text(call.service_code),
      uniq: text(call.uniq),
      call_responsible: call.call_responsible ?? null,
    }),
  }),
  // Clients read each of these members without a check.
  forms: (form, now) => ({
    form_id: text(form.form_id),
    ...present({ form_type: text(form.form_type) }),
    form_name: text(form.form_name),
    form_page: text(form.form_page),
    ip: text(form.ip),
    form_sent_at: number(form.form_sent_at) ?? now,
    referer: text(form.referer),
    visitor_uid: text(form.visitor_uid),
  }),
}

/** The metadata of a new incoming lead, as they are stored and shown. */
export const metadataOf = (
  category: WrittenCategory,
  written: Written,
  now: number,
): Record<string, unknown> => shapes[category](written, now)
