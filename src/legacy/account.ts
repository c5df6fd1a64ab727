import {
  type Actor,
  effectiveRights,
  findColleagues,
  listGroupRows,
  listPeople,
  listTaskTypes,
  offsetOf,
  type PersonRow,
  selectAccount,
} from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { type Field, findFields } from '../custom-fields/custom-fields.ts'
import { fieldTypes } from '../custom-fields/fields/field-types.ts'
import type { AccountRow } from '../db/tables.ts'
import { legacyNoteTypes } from '../notes/notes.ts'
import { listPipelines, type PipelineWithStages } from '../pipelines/pipelines.ts'

/**
 * The account with all that older clients look up by id: people, groups, stages, fields and types
 * (docs/wire/legacy.md#accountscurrent). Ids are text where a captured response has text.
 */
export async function currentAccount(ctx: Context, actor: Actor) {
  const { account_id } = actor
  const [account, users, groups, pipelines, task_types, fields] = await Promise.all([
    selectAccount(ctx.db).where('id', '=', account_id).executeTakeFirstOrThrow(),
    visiblePeople(ctx, actor),
    listGroupRows(ctx.db, account_id),
    listPipelines(ctx, actor),
    listTaskTypes(ctx.db, account_id),
    Promise.all(fieldOwners.map((owner) => findFields(ctx.db, account_id, owner))),
  ])
  const statuses = pipelines.flatMap(({ stages }) => stages.map(stageView))
  return {
    ...settingsOf(account),
    current_user: actor.user_id,
    users: users.map(personView),
    groups: groups.map(({ id, name }) => ({ id, name })),
    leads_statuses: statuses.map((stage) => ({ ...stage, id: String(stage.id), sort: String(stage.sort) })),
    custom_fields: Object.fromEntries(fields.map(({ list }, i) => [fieldOwners[i], list.map(fieldView)])),
    note_types: noteTypes,
    task_types: task_types.map(({ id, name, code }) => ({ id, name, code: code ?? '' })),
    pipelines: pipelineViews(pipelines),
    timezoneoffset: offsetOf(account.timezone, ctx.clock()),
  }
}

/** Pipelines with their stages, by their ids. */
export const pipelineViews = (pipelines: readonly PipelineWithStages[]) =>
  Object.fromEntries(
    pipelines.map(({ id, name, sort, is_main, stages }) => [
      id,
      {
        ...{ id, value: id, label: name, name, sort, is_main: is_main === 1 },
        statuses: Object.fromEntries(stages.map((stage) => [stage.id, stageView(stage)])),
      },
    ]),
  )

/** The pipelines with their stages by their ids, or the one with this id. */
export async function legacyPipelines(ctx: Context, actor: Actor, id: string) {
  const pipelines = await listPipelines(ctx, actor)
  return pipelineViews(id === '' ? pipelines : pipelines.filter((pipeline) => String(pipeline.id) === id))
}

/** The owners of fields, in the order of the platform. */
export const fieldOwners = ['contacts', 'leads', 'companies', 'customers'] as const

const settingsOf = (account: AccountRow) => ({
  id: String(account.id),
  name: account.name,
  subdomain: account.subdomain,
  currency: account.currency,
  timezone: account.timezone,
  language: account.language,
  date_pattern: 'd.m.Y H:i',
  date_format: 'd.m.Y',
  time_format: 'H:i:s',
  country: account.country.toLowerCase(),
  unsorted_on: account.is_unsorted_on === 1 ? 'Y' : 'N',
})

/** The most people that a response lists. */
const MAX_PEOPLE = 1_000

/** Administrators see what v4 shows them of everybody; others see names and groups (docs/wire/legacy.md#accountscurrent). */
export async function visiblePeople(ctx: Context, actor: Actor): Promise<(PersonRow | Colleague)[]> {
  if (actor.is_admin) return (await listPeople(ctx, actor, { limit: MAX_PEOPLE, offset: 0 })).people
  const colleagues = await findColleagues(ctx.db, actor.account_id)
  return colleagues
    .filter(({ is_active, removed_at }) => is_active === 1 && removed_at === null)
    .slice(0, MAX_PEOPLE)
    .map(({ id, name, group_id }) => ({ id, name, group_id }))
}

/** The part of a person that everybody sees. */
export type Colleague = Pick<PersonRow, 'id' | 'name' | 'group_id'>

function personView(person: PersonRow | Colleague) {
  const { id, name, group_id } = person
  if (!('email' in person)) return { id: String(id), name, last_name: null, group_id }
  const rights = effectiveRights(person)
  const widths = (['lead', 'contact', 'company'] as const).flatMap((kind) =>
    Object.entries(rights[kinds[kind]]).map(([name, width]) => [`rights_${kind}_${name}`, width]),
  )
  return {
    id: String(person.id),
    mail_admin: rights.mail_access ? 'A' : 'D',
    name: person.name,
    last_name: null,
    login: person.email,
    photo_url: null,
    phone_number: person.phone_number ?? '',
    language: person.lang,
    group_id: person.group_id,
    ...Object.fromEntries(widths),
    is_admin: person.is_admin === 1 ? 'Y' : null,
    active: person.is_active === 1,
  }
}

const kinds = { lead: 'leads', contact: 'contacts', company: 'companies' } as const

const stageView = (stage: {
  id: number
  name: string
  pipeline_id: number
  sort: number
  color: string
  is_editable: number
}) => ({
  id: stage.id,
  name: stage.name,
  pipeline_id: stage.pipeline_id,
  sort: stage.sort,
  color: stage.color,
  editable: stage.is_editable === 1 ? 'Y' : 'N',
})

const fieldView = ({ id, name, code, type, is_disabled, enums }: Field) => ({
  id: String(id),
  name,
  code: code ?? '',
  multiple: type === 'multitext' ? 'Y' : 'N',
  type_id: String(fieldTypes[type].number),
  disabled: is_disabled ? '1' : '0',
  ...(enums.length > 0 && {
    enums: Object.fromEntries(enums.map(({ id, code, value }) => [id, code ?? value])),
  }),
})

const noteTypes = Object.entries(legacyNoteTypes).map(([code, id]) => ({
  id,
  name: '',
  code: code.toUpperCase(),
  editable: code === 'common' ? 'Y' : 'N',
}))
