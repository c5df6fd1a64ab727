import { type Actor, activeMembers, findMembers } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { findFields } from '../custom-fields/custom-fields.ts'
import type { Tx } from '../db/database.ts'
import type { AccountRow, SiteFormRow } from '../db/tables.ts'
import { addComplexInside, beginWrite, type ComplexDraft, type Written } from '../entities/entities.ts'
import { Refusal } from '../errors.ts'
import { writeNotes } from '../notes/notes.ts'
import { findStages } from '../pipelines/pipelines.ts'
import { addIncomingInside } from './add.ts'
import type { ShownField } from './form-fields.ts'
import type { NewIncomingLead } from './schemas.ts'

/** A form that a visitor has sent, with valid values by the keys of its fields. */
export interface Submission {
  form: SiteFormRow
  account: AccountRow
  fields: readonly ShownField[]
  values: ReadonlyMap<string, string>
  ip: string
  /** The address of the form, and of the page that contains it. */
  url: string
  page: string
  request_id: string
}

/**
 * Adds what a visitor has sent as an incoming lead of the category forms, or as a lead of the first stage if the pipeline
 * keeps no incoming leads (I10). The same values a second time add nothing while the first wait.
 */
export async function submitForm(ctx: Context, submission: Submission, written: Written): Promise<void> {
  try {
    await ctx.db.transaction().execute((tx) => addSubmission(ctx, tx, submission, written))
  } catch (error) {
    const isRepeated = error instanceof Refusal && error.faults.some(({ code }) => code === 'NotUnique')
    if (!isRepeated) throw error
  }
}

async function addSubmission(ctx: Context, tx: Tx, submission: Submission, written: Written): Promise<void> {
  const { form, values, ip, url, page } = submission
  const actor = await formAsActor(tx, submission)
  const stages = await findStages(tx, form.account_id)
  const pipeline_id = stages.hasPipeline(form.pipeline_id) ? form.pipeline_id : stages.main
  const records = await recordsOf(tx, submission, actor.user_id)
  const lead_id =
    stages.unsorted(pipeline_id) === undefined
      ? await addLead(ctx, tx, actor, pipeline_id, records, written)
      : await addWaiting(ctx, tx, actor, written, {
          source_uid: form.token,
          source_name: form.name,
          pipeline_id,
          metadata: {
            form_id: form.token,
            form_name: form.name,
            form_page: url,
            ip,
            ...(page && { referer: page }),
          },
          _embedded: records,
        })
  const text = values.get('text')
  if (text)
    await writeNotes(ctx, tx, actor, [
      { entity_type: 'leads', entity_id: lead_id, note_type: 'common', params: { text } },
    ])
}

async function addLead(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  pipeline_id: number,
  { leads: [lead], contacts }: Awaited<ReturnType<typeof recordsOf>>,
  written: Written,
): Promise<number> {
  const draft: ComplexDraft = { ...lead, pipeline_id, _embedded: { contacts } }
  const [added] = await addComplexInside(await beginWrite(ctx, tx, actor), [draft], { written })
  return (added as { lead: { id: number } }).lead.id
}

async function addWaiting(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  written: Written,
  draft: NewIncomingLead,
): Promise<number> {
  const [added] = await addIncomingInside(ctx, tx, actor, 'forms', [draft], written)
  return (added as { row: { lead_id: number } }).row.lead_id
}

/** The lead and the contact of a submission. */
async function recordsOf(tx: Tx, { form, fields, values }: Submission, responsible_user_id: number) {
  const { byCode } = await findFields(tx, form.account_id, 'contacts')
  const storedIn = (of: 'leads' | 'contacts') =>
    fields.flatMap(({ key, stored, control }) => {
      const value = values.get(key)
      if (!value || stored?.of !== of) return []
      const shown = control === 'checkbox' ? true : control === 'number' ? Number(value) : value
      return [{ field_id: stored.field_id, values: [{ value: shown }] }]
    })
  const details = Object.entries({ PHONE: values.get('phone'), EMAIL: values.get('email') }).flatMap(
    ([field_code, value]) => (value && byCode.has(field_code) ? [{ field_code, values: [{ value }] }] : []),
  )
  const name = values.get('name') || values.get('phone') || values.get('email')
  const contact = { responsible_user_id, custom_fields_values: [...details, ...storedIn('contacts')] }
  const hasContact = name !== undefined || contact.custom_fields_values.length > 0
  return {
    leads: [{ name: form.name, responsible_user_id, custom_fields_values: storedIn('leads') }],
    contacts: hasContact ? [{ ...contact, ...(name && { name }) }] : [],
  }
}

/**
 * The form adds its records with the rights of an administrator. The person who created it is responsible for them, or
 * the first administrator if they are no active member any more; that person is the author, too.
 */
async function formAsActor(tx: Tx, { form, account, ip, request_id }: Submission): Promise<Actor> {
  const isActive = (await findMembers(tx, account.id)).get(form.created_by)?.is_active
  return {
    account_id: account.id,
    subdomain: account.subdomain,
    user_id: isActive ? form.created_by : await firstAdministrator(tx, account.id),
    member_epoch: 0,
    lang: 'en',
    is_admin: true,
    is_free: false,
    group_id: 0,
    rights: {} as Actor['rights'],
    paid_until: null,
    integration: { id: `form ${form.id}`, number: null, grant_id: '', scopes: [] },
    request_id,
    address: ip,
  }
}

async function firstAdministrator(tx: Tx, account_id: number): Promise<number> {
  const { user_id } = await activeMembers(tx)
    .where('members.account_id', '=', account_id)
    .where('members.is_admin', '=', 1)
    .orderBy('members.user_id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return user_id
}
