import { type TObject, Type } from 'typebox'
import { type Actor, requirePaid } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { RecordHooks } from '../../entities/entities.ts'
import { listLegacyNotes } from '../list-notes.ts'
import { LegacyQuery } from '../list-parameters.ts'
import { addLegacyNotes, editLegacyNotes } from '../notes.ts'
import type { RecordKind } from '../record-drafts.ts'
import { asOne, type Batch } from '../requests.ts'
import { addLegacyTasks, editLegacyTasks, findTasks } from '../tasks.ts'
import { ElementsQuery, findV2Elements, setV2Elements, V2Element } from './elements.ts'
import { findV2Records, recordViews } from './find-records.ts'
import { findV2Lists, setV2Lists, V2List } from './lists.ts'
import { findV2Purchases, PurchasesQuery, setV2Purchases, V2Purchase } from './purchases.ts'
import { setV2Records } from './set-records.ts'
import { noteView, taskView, V2Note, V2Task } from './tasks-and-notes.ts'

/** How a resource of the second API is listed and written. */
export interface Resource {
  item: TObject
  query: TObject
  /** Whether a request can delete, too. */
  deletes: boolean
  list: (ctx: Context, actor: Actor, ...asked: Asked) => Promise<object[]>
  set: (ctx: Context, actor: Actor, sets: Sets) => Promise<Done>
}

/** The query of a list, and the value of `If-Modified-Since`. */
export type Asked = [query: LegacyQuery, modified_since: string | undefined]

/** The parts of a request. */
export interface Sets {
  add: Batch
  update: Batch
  gone: readonly number[]
}

/** The added and the changed items of a request. */
export interface Done {
  add: readonly { id: number; request_id: string | number }[]
  update: readonly { id: number; last_modified: number }[]
}

const V2Query = Type.Object({
  ...LegacyQuery.properties,
  filter: Type.Optional(
    Type.Unknown({
      description:
        '`date_create` and `date_modify`, with `from` and `to`. Leads: `active`, `tasks`. Tasks: `status`, `task_type`.',
    }),
  ),
  with: Type.Optional(Type.Unknown({ description: 'Records: `only_deleted`, those in the trash.' })),
})

/** The resources by their paths. */
export const resourcesOf = (hooks: Pick<RecordHooks, 'written'>): Record<string, Resource> => ({
  leads: recordsOf('leads', hooks),
  contacts: recordsOf('contacts', hooks),
  companies: recordsOf('companies', hooks),
  customers: { ...recordsOf('customers', hooks), deletes: true },
  tasks: {
    item: V2Task,
    query: V2Query,
    deletes: false,
    list: async (...asked) => (await findTasks(...asked)).map(taskView),
    set: (ctx, actor, sets) => setAs(ctx, actor, sets, addLegacyTasks, editLegacyTasks),
  },
  notes: {
    item: V2Note,
    query: V2Query,
    deletes: false,
    list: async (ctx, actor, ...asked) => {
      requirePaid(ctx, actor)
      return (await listLegacyNotes(ctx, actor, ...asked)).map(noteView)
    },
    set: (ctx, actor, sets) => setAs(ctx, actor, sets, addLegacyNotes, editLegacyNotes),
  },
  catalogs: {
    item: V2List,
    query: V2Query,
    deletes: true,
    list: findV2Lists,
    set: setV2Lists,
  },
  catalog_elements: {
    item: V2Element,
    query: ElementsQuery,
    deletes: true,
    list: findV2Elements,
    set: setV2Elements,
  },
  transactions: {
    item: V2Purchase,
    query: PurchasesQuery,
    deletes: true,
    list: findV2Purchases,
    set: setV2Purchases,
  },
})

const recordsOf = (kind: RecordKind, hooks: Pick<RecordHooks, 'written'>): Resource => ({
  item: recordViews[kind].item,
  query: V2Query,
  deletes: false,
  list: (ctx, actor, ...asked) => findV2Records(ctx, actor, kind, ...asked),
  set: (ctx, actor, sets) => setV2Records(ctx, actor, kind, sets, hooks),
})

type Write<Item> = (ctx: Context, actor: Actor, batch: Batch) => Promise<Item[]>

/** Adds and changes items, all of them or none. */
const setAs = (
  ctx: Context,
  actor: Actor,
  { add, update }: Sets,
  write: Write<Done['add'][number]>,
  edit: Write<Done['update'][number]>,
): Promise<Done> =>
  asOne(async () => ({
    add: add.items.length > 0 ? await write(ctx, actor, add) : [],
    update: update.items.length > 0 ? await edit(ctx, actor, update) : [],
  }))
