import pg from 'pg'
import { eventStatements } from './event-pages.ts'
import { type Dialect, pageStatements, type Read } from './pages.ts'
import { describing, newId, noteChange, storedText, types, wordsOf } from './row-values.ts'
import type { Constants, Store } from './rows.ts'

/** One statement for each work, which is a transaction of its own, with the constants as literals. */
function statementsFor({ account_id, user_id, integration, pipeline_id, status_id }: Constants) {
  const [at, request] = ['$1::bigint', '$2::text']
  const by = `${user_id}, ${user_id}, ${user_id}, ${integration}, ${integration}`
  const signed =
    'responsible_user_id, created_by, updated_by, created_by_integration, updated_by_integration, created_at, updated_at'
  const event = `insert into events (account_id, id, type, entity_type, entity_id, created_by, created_by_integration,
      created_at, value_after, value_before, field_id, field_name, request_id)`
  const note = `insert into notes (account_id, entity_type, id, entity_id, note_type, params, ${signed}, is_pinned, is_deleted)`
  const change = (id: string) => `replace('${noteChange(0)}', '0', ${id}::text)`
  const lead = `given as (
      select nextval('entities_ids') as id, nextval('notes_ids') as note_id, t.*
      from unnest($3::text[], $4::bigint[], $5::text[], $6::text[]) with ordinality as t (name, price, params, event_id, n)),
    words as (
      insert into search_words (account_id, entity_type, word, entity_id)
      select ${account_id}, 'leads', word, id from unnest($7::bigint[], $8::text[]) as w (n, word) join given using (n)),
    marks as (
      ${note} select ${account_id}, 'leads', note_id, id, 'lead_created', params, ${by}, ${at}, ${at}, 0, 0 from given),
    added as (
      ${event} select ${account_id}, event_id, ${types.lead}, 'lead', id, ${user_id}, ${integration}, ${at},
        ${change('note_id')}, '[]', null::bigint, null, ${request} from given),`
  const values = `texts as (
      insert into field_values (account_id, entity_id, field_values)
      select ${account_id}, id, field_values from unnest($9::bigint[], $10::text[]) as v (n, field_values) join given using (n)),
    valued as (select id, v.* from unnest($11::bigint[], $12::bigint[], $13::text[], $14::text[], $15::text[], $16::text[])
      as v (n, field_id, field_name, key, after, event_id) join given using (n)),
    keys as (insert into field_keys (account_id, field_id, key, entity_id) select ${account_id}, field_id, key, id from valued),
    changes as (
      ${event} select ${account_id}, event_id, ${types.value}, 'lead', id, ${user_id}, ${integration}, ${at}, after, '[]',
        field_id, field_name, ${request} from valued),
    event_keys as (
      insert into event_keys (account_id, key, event_id)
      select ${account_id}, key, event_id from unnest($17::text[], $18::text[]) as k (key, event_id)),`
  const leads = `leads as (
      insert into entities (account_id, entity_type, id, name, name_key, price, pipeline_id, status_id, ${signed},
        is_deleted, is_unsorted)
      select ${account_id}, 'leads', id, name, lower(name), price, ${pipeline_id}, ${status_id}, ${by}, ${at}, ${at}, 0, 0 from given)
    select id from given order by n`
  return {
    leads: `with ${lead} ${leads}`,
    leads_with_values: `with ${lead} ${values} ${leads}`,
    price: `with old as (
        select price from entities where account_id = ${account_id} and entity_type = 'leads' and id = $3 for update),
      changed as (
        update entities set price = $4, price_with_minor_units = null, updated_by = ${user_id},
          updated_by_integration = ${integration}, updated_at = ${at}
        where account_id = ${account_id} and entity_type = 'leads' and id = $3),
      keys as (
        insert into event_keys (account_id, key, event_id)
        select ${account_id}, key, $5 from old, lateral (
          values ('${types.price} after =' || $4::bigint), ('${types.price} before =' || price)) as k (key))
      ${event} select ${account_id}, $5, ${types.price}, 'lead', $3, ${user_id}, ${integration}, ${at},
        '[{"sale_field_value":{"sale":' || $4::bigint || '}}]', '[{"sale_field_value":{"sale":' || price || '}}]',
        null, null, ${request} from old`,
    notes: `with given as (
        select nextval('notes_ids') as id, t.*
        from unnest($3::bigint[], $4::text[], $5::text[], $6::text[])
          with ordinality as t (entity_id, note_type, params, event_id, n)),
      added as (
        ${event} select ${account_id}, event_id, ${types.note}, 'lead', entity_id, ${user_id}, ${integration}, ${at},
          ${change('id')}, '[]', null::bigint, null, ${request} from given),
      rows as (
        ${note} select ${account_id}, 'leads', id, entity_id, note_type, params, ${by}, ${at}, ${at}, 0, 0 from given)
      select id from given order by n`,
  }
}

const dialect: Dialect = {
  is: (column, n) => `${column} = $${n}`,
  isIn: (column, n) => `${column} = any($${n}::bigint[])`,
}

pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Ten pooled connections, with every statement prepared once on each. Rows are passed as arrays. */
export async function openPostgres(connectionString: string, constants: Constants): Promise<Store> {
  const pool = new pg.Pool({ connectionString, max: 10 })
  const statements = statementsFor(constants)
  const pages = { ...pageStatements(constants, dialect), ...eventStatements(constants, dialect) }
  const describe = describing(constants)
  const run = async (name: keyof typeof statements, values: unknown[]) =>
    (await pool.query({ name, text: statements[name], values })).rows.map(({ id }) => id as number)
  const read: Read = async (name, ...values) =>
    (await pool.query({ name: `page of ${name}`, text: pages[name], values: [...values] })).rows
  return {
    read,
    addLeads: async (drafts, { id, at }) => {
      const words = drafts.flatMap((draft, i) => [...wordsOf(draft)].map((word) => ({ n: i + 1, word })))
      const described = drafts.map(describe)
      const leads = [
        drafts.map(({ name }) => name),
        drafts.map(({ price }) => price),
        drafts.map(({ name }) => JSON.stringify({ text: name })),
      ]
      const ofWords = [words.map(({ n }) => n), words.map(({ word }) => word)]
      if (described.every(({ length }) => length === 0))
        return run('leads', [at, id, ...leads, drafts.map(newId), ...ofWords])
      // The event of a lead comes before those of its values.
      const events = described.map((values) => ({
        id: newId(),
        values: values.map((value) => ({ ...value, id: newId() })),
      }))
      const values = events.flatMap(({ values }, i) => values.map((value) => ({ ...value, n: i + 1 })))
      const keys = values.flatMap(({ event_keys, id }) => event_keys.map((key) => ({ key, id })))
      return run('leads_with_values', [
        ...[at, id, ...leads, events.map(({ id }) => id), ...ofWords],
        ...[drafts.map((_, i) => i + 1), described.map(storedText)],
        ...[values.map(({ n }) => n), values.map(({ field_id }) => field_id)],
        ...[values.map(({ field_name }) => field_name), values.map(({ key }) => key)],
        ...[values.map(({ after }) => after), values.map(({ id }) => id)],
        ...[keys.map(({ key }) => key), keys.map(({ id }) => id)],
      ])
    },
    changePrice: async (lead_id, price, { id, at }) => {
      await run('price', [at, id, lead_id, price, newId()])
    },
    addNotes: (drafts, { id, at }) =>
      run('notes', [
        at,
        id,
        drafts.map(({ entity_id }) => entity_id),
        drafts.map(({ note_type }) => note_type),
        drafts.map(({ params }) => JSON.stringify(params)),
        drafts.map(newId),
      ]),
    close: () => pool.end(),
  }
}
