import { Type } from 'typebox'
import {
  type Actor,
  effectiveRights,
  listGroupRows,
  listTaskTypes,
  offsetOf,
  type PersonRow,
  selectAccount,
} from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { type Field, findFields } from '../../custom-fields/custom-fields.ts'
import { fieldTypes } from '../../custom-fields/fields/field-types.ts'
import { canSeeList, findCatalogs, loadAccess } from '../../entities/entities.ts'
import { legacyNoteTypes } from '../../notes/notes.ts'
import { listPipelines } from '../../pipelines/pipelines.ts'
import { type Colleague, fieldOwners, visiblePeople } from '../account.ts'
import { Links, linksById, linksTo } from './bodies.ts'

/** The account as the second API has it. Everything that has an id is in an object, by its id. */
export const V2Account = Type.Object(
  {
    _links: Links,
    id: Type.Integer(),
    name: Type.String(),
    subdomain: Type.String({ description: 'The first part of the host of the account.' }),
    currency: Type.String(),
    timezone: Type.String({ description: 'For example `Europe/Madrid`.' }),
    timezone_offset: Type.String({ description: 'For example `+01:00`.' }),
    language: Type.String(),
    date_pattern: Type.Object(
      {
        date: Type.String(),
        time: Type.String(),
        date_time: Type.String(),
        time_full: Type.String(),
      },
      { description: "In the notation of PHP's `date`, such as `d.m.Y`." },
    ),
    current_user: Type.Integer({ description: 'The user whose rights the token has.' }),
    _embedded: Type.Optional(
      Type.Unsafe<object>({ type: 'object', description: 'What `with` names.', additionalProperties: true }),
    ),
  },
  { title: 'V2Account' },
)

/** The account, with what `with` names. */
export async function readV2Account(ctx: Context, actor: Actor, names: readonly string[]) {
  const account = await selectAccount(ctx.db).where('id', '=', actor.account_id).executeTakeFirstOrThrow()
  const known = names.filter((name) => Object.hasOwn(parts, name))
  const shown = await Promise.all(known.map(async (name) => [name, await parts[name]?.(ctx, actor)] as const))
  return {
    _links: linksTo('account'),
    id: account.id,
    name: account.name,
    subdomain: account.subdomain,
    currency: account.currency,
    timezone: account.timezone,
    timezone_offset: offsetOf(account.timezone, ctx.clock()),
    language: account.language,
    date_pattern: { date: 'd.m.Y', time: 'H:i', date_time: 'd.m.Y H:i', time_full: 'H:i:s' },
    current_user: actor.user_id,
    ...(known.length > 0 && { _embedded: Object.fromEntries(shown) }),
  }
}

type Part = (ctx: Context, actor: Actor) => Promise<object>

const parts: Readonly<Record<string, Part>> = {
  users: async (ctx, actor) => byId((await visiblePeople(ctx, actor)).map(userView)),
  groups: async (ctx, { account_id }) =>
    byId((await listGroupRows(ctx.db, account_id)).map(({ id, name }) => ({ id, name }))),
  task_types: async (ctx, { account_id }) =>
    byId((await listTaskTypes(ctx.db, account_id)).map(({ id, name }) => ({ id, name }))),
  pipelines: (ctx, actor) => v2Pipelines(ctx, actor),
  note_types: async () =>
    byId(
      Object.entries(legacyNoteTypes).map(([code, id]) => ({
        id,
        code: code.toUpperCase(),
        is_editable: code === 'common',
      })),
    ),
  custom_fields: async (ctx, actor) => {
    const fields = await Promise.all(fieldOwners.map((owner) => findFields(ctx.db, actor.account_id, owner)))
    return {
      ...Object.fromEntries(fields.map(({ list }, i) => [fieldOwners[i], byId(list.map(fieldView))])),
      catalogs: await fieldsOfLists(ctx, actor),
    }
  },
}

/** The fields of the lists that the caller can see, by the ids of the lists. */
async function fieldsOfLists(ctx: Context, actor: Actor) {
  const [access, lists] = await Promise.all([loadAccess(ctx.db, actor), findCatalogs(ctx.db, actor)])
  const seen = lists.filter(({ id }) => canSeeList(access, id))
  const fields = await Promise.all(seen.map(({ id }) => findFields(ctx.db, actor.account_id, 'catalogs', id)))
  return Object.fromEntries(fields.map(({ list }, i) => [seen[i]?.id, byId(list.map(fieldView))]))
}

const byId = <Item extends { id: number }>(items: readonly Item[]) =>
  Object.fromEntries(items.map((item) => [item.id, item]))

/** The pipelines with their stages, by their ids; without ids, all of them. */
export async function v2Pipelines(ctx: Context, actor: Actor, ids: readonly string[] = []) {
  const pipelines = await listPipelines(ctx, actor)
  return byId(pipelines.filter(({ id }) => ids.length === 0 || ids.includes(String(id))).map(pipelineView))
}

type WithStages = Awaited<ReturnType<typeof listPipelines>>[number]

const pipelineView = ({ id, name, sort, is_main, stages }: WithStages) => ({
  ...{ id, name, sort, is_main: is_main === 1 },
  statuses: byId(
    stages.map((stage) => ({
      id: stage.id,
      name: stage.name,
      color: stage.color,
      sort: stage.sort,
      is_editable: stage.is_editable === 1,
    })),
  ),
  _links: linksById('pipelines', id),
})

function userView(person: PersonRow | Colleague) {
  const { id, name, group_id } = person
  if (!('email' in person)) return { id, name, last_name: '', group_id, is_active: true }
  const rights = effectiveRights(person)
  const widths = (['lead', 'contact', 'company', 'task'] as const).flatMap((kind) =>
    Object.entries(rights[kinds[kind]]).map(([right, width]) => [`${kind}_${right}`, width]),
  )
  return {
    ...{ id, name, last_name: '', login: person.email, language: person.lang, group_id },
    is_active: person.is_active === 1,
    is_free: person.is_free === 1,
    is_admin: person.is_admin === 1,
    phone_number: person.phone_number ?? '',
    rights: {
      mail: rights.mail_access ? 'A' : 'D',
      // People see incoming leads as they see leads.
      incoming_leads: rights.leads.view,
      catalogs: rights.catalog_access ? 'A' : 'D',
      ...Object.fromEntries(widths),
    },
  }
}

const kinds = { lead: 'leads', contact: 'contacts', company: 'companies', task: 'tasks' } as const

const fieldView = ({ id, name, code, type, sort, is_predefined, is_disabled, enums }: Field) => ({
  id,
  name,
  field_type: fieldTypes[type].number,
  sort,
  code: code ?? '',
  is_multiple: type === 'multitext',
  is_system: is_predefined,
  is_editable: !is_disabled,
  ...(enums.length > 0 && {
    enums: Object.fromEntries(enums.map(({ id, code, value }) => [id, code ?? value])),
  }),
})
