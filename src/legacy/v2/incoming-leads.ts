import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { type FieldSet, findFields } from '../../custom-fields/custom-fields.ts'
import type { RecordHooks } from '../../entities/entities.ts'
import { invalid } from '../../errors.ts'
import { addIncoming } from '../../incoming-leads/incoming-leads.ts'
import { NewIncomingCalls, NewIncomingForms } from '../../incoming-leads/schemas.ts'
import {
  type Draft,
  draftOf,
  flagIn,
  type Item,
  listIn,
  numberIn,
  type Translate,
  textIn,
  to,
} from '../members.ts'
import { addLegacyNotes } from '../notes.ts'
import { translated } from '../record-drafts.ts'
import { asOne, type Batch, inBatch, MAX_ITEMS, validated } from '../requests.ts'

/** How incoming leads of a category are written: the part of the address, the schema of v4, the members of the metadata. */
interface Written {
  path: string
  schema: typeof NewIncomingCalls.items | typeof NewIncomingForms.items
  metadata: Record<string, Translate>
}

/** The categories that integrations add, by their names in v4. */
export const writtenCategories: Record<'sip' | 'forms', Written> = {
  sip: {
    path: 'sip',
    schema: NewIncomingCalls.items,
    metadata: {
      from: to('phone', textIn),
      to: to('call_responsible', numberIn),
      date: to('called_at', numberIn),
      date_call: to('called_at', numberIn),
      duration: to('duration', numberIn),
      link: to('link'),
      service_code: to('service_code'),
      uniq: to('uniq'),
      // Any value asks for the note, also a text.
      add_note: to('is_call_event_needed', (value) => flagIn(value) !== false),
    },
  },
  forms: {
    path: 'form',
    schema: NewIncomingForms.items,
    metadata: {
      form_id: to('form_id'),
      form_type: to('form_type'),
      form_name: to('form_name'),
      form_page: to('form_page'),
      ip: to('ip'),
      referer: to('referer'),
      visitor_uid: to('visitor_uid'),
      created_at: to('form_sent_at', numberIn),
      date: to('form_sent_at', numberIn),
      form_send_at: to('form_sent_at', numberIn),
    },
  },
}
type Category = keyof typeof writtenCategories

const kinds = ['leads', 'contacts', 'companies'] as const
type Fields = Record<(typeof kinds)[number], FieldSet>

/** Adds incoming leads with the notes of their leads, all of them or none. Returns their uids. */
export function addV2Incoming(
  ctx: Context,
  actor: Actor,
  category: Category,
  batch: Batch,
  { written }: Pick<RecordHooks, 'written'>,
): Promise<string[]> {
  return asOne(async () => {
    const fields = await fieldsOf(ctx, actor)
    const items = batch.items.map((item) => draftIn(category, item, fields))
    const drafts = validated(writtenCategories[category].schema, items, batch)
    const added = await inBatch(batch, () => addIncoming(ctx, actor, category, drafts, written))
    await addNotes(
      ctx,
      actor,
      batch,
      added.map(({ row }) => row.lead_id),
    )
    return added.map(({ row }) => row.uid)
  })
}

async function fieldsOf(ctx: Context, { account_id }: Actor): Promise<Fields> {
  const sets = await Promise.all(kinds.map((kind) => findFields(ctx.db, account_id, kind)))
  return Object.fromEntries(kinds.map((kind, i) => [kind, sets[i]])) as Fields
}

const members: Record<string, Translate> = {
  source_uid: to('source_uid', textIn),
  source_name: to('source_name', textIn),
  pipeline_id: to('pipeline_id', numberIn),
  created_at: to('created_at', numberIn),
}

/** The source of an incoming lead that names none. */
const NO_SOURCE = 'API'

/** Clients of the second API can leave out the source. Then it is what the metadata name. */
function draftIn(category: Category, item: Item, fields: Fields): Draft {
  const metadata = draftOf(Object(item.incoming_lead_info), writtenCategories[category].metadata)
  const { form_id, form_name, form_page, service_code, phone } = metadata
  const nameOf = (...named: unknown[]) => shortName(named.find(isName) ?? NO_SOURCE)
  const [contacts, companies] = [recordsIn('contacts', item, fields), recordsIn('companies', item, fields)]
  const leads = recordsIn('leads', item, fields)
  const ofLead = leads[0]?._embedded ?? {}
  return {
    source_uid: nameOf(form_id, service_code),
    source_name: nameOf(form_name, form_page, service_code, phone),
    ...draftOf(item, members),
    metadata,
    _embedded: {
      leads,
      // A lead can name a contact and a company that exist.
      contacts: contacts.length > 0 ? contacts : (ofLead.contacts ?? []),
      companies: companies.length > 0 ? companies : (ofLead.companies ?? []),
    },
  }
}

/** Objects name nothing: the schema refuses them where they stand. */
const isName = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && value !== '')

const LONGEST_NAME = 255

/** Without half of a character at the end. */
const shortName = (name: string | number): string =>
  String(name)
    .slice(0, LONGEST_NAME)
    .replace(/[\ud800-\udbff]$/, '')

const recordsIn = (kind: (typeof kinds)[number], { incoming_entities }: Item, fields: Fields): Draft[] =>
  listIn(Object(incoming_entities)[kind]).map((record) => translated(kind, Object(record), fields[kind]))

/** The notes that a lead of an incoming lead has. */
const notesIn = ({ incoming_entities }: Item): Item[] =>
  listIn(Object(incoming_entities).leads).flatMap((lead) => listIn(Object(lead).notes).map(Object))

async function addNotes(
  ctx: Context,
  actor: Actor,
  { at, items }: Batch,
  lead_ids: readonly number[],
): Promise<void> {
  const notes = items.flatMap((item, i) =>
    notesIn(item).map((note) => ({ ...note, element_type: LEAD, element_id: lead_ids[i] })),
  )
  if (notes.length > MAX_ITEMS)
    throw invalid(at, 'TooMany', `The leads of a request have at most ${MAX_ITEMS} notes.`)
  if (notes.length > 0) await addLegacyNotes(ctx, actor, { at: `${at}.notes`, items: notes })
}

/** `element_type` of a lead. */
const LEAD = 2
