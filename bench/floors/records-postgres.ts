import pg from 'pg'
import { now, type Store } from './records.ts'

const tables = `
  create table if not exists leads (
    id bigint primary key generated always as identity, name text not null, price bigint not null,
    responsible_user_id bigint not null, status_id bigint not null, pipeline_id bigint not null,
    created_at bigint not null, updated_at bigint not null, field_values text not null);
  create table if not exists field_keys (
    field_id bigint not null, key text collate "C" not null, lead_id bigint not null, primary key (field_id, key, lead_id));
  create table if not exists events (
    id bigint primary key generated always as identity, type bigint not null, entity_id bigint not null,
    created_by bigint not null, created_at bigint not null, value_after text not null, value_before text not null);`

const columns =
  'leads.id, name, price, responsible_user_id, status_id, pipeline_id, created_at, updated_at, field_values'

const statements = {
  leads: `insert into leads (name, price, responsible_user_id, status_id, pipeline_id, created_at, updated_at, field_values)
    select name, price, 1, 1, 1, $3::bigint, $3::bigint, field_values
    from unnest($1::text[], $2::bigint[], $4::text[]) as given (name, price, field_values) returning id`,
  keys: 'insert into field_keys select * from unnest($1::bigint[], $2::text[], $3::bigint[])',
  events: `insert into events (type, entity_id, created_by, created_at, value_after, value_before)
    select type, entity_id, 1, $4::bigint, value_after, '[]'
    from unnest($1::bigint[], $2::bigint[], $3::text[]) as given (type, entity_id, value_after)`,
  price: 'select price from leads where id = $1 for update',
  set_price: 'update leads set price = $1, updated_at = $2 where id = $3',
  change: `insert into events (type, entity_id, created_by, created_at, value_after, value_before)
    values (2, $1, 1, $2, $3, $4)`,
  list: `select ${columns} from leads where id > $1 order by id limit $2`,
  filter: `select ${columns} from field_keys join leads on leads.id = lead_id
    where field_id = $1 and key = $2 and lead_id > $3 order by lead_id limit $4`,
}

pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Ten pooled connections, with every statement prepared once on each. Batches are passed as arrays. */
export async function openPostgres(connectionString: string): Promise<Store> {
  const pool = new pg.Pool({ connectionString, max: 10 })
  await pool.query(tables)
  const on =
    (client: pg.Pool | pg.PoolClient) =>
    (name: keyof typeof statements, values: unknown[]): Promise<pg.QueryResult> =>
      client.query({ name, text: statements[name], values })
  const run = on(pool)
  return {
    add: async (leads) => {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const inside = on(client)
        const texts = leads.map(({ custom_fields_values }) => JSON.stringify(custom_fields_values ?? []))
        const names = leads.map(({ name }) => name)
        const prices = leads.map(({ price }) => price)
        const { rows } = await inside('leads', [names, prices, now(), texts])
        const ids = rows.map(({ id }) => id as number)
        const values = leads.flatMap(({ custom_fields_values = [] }, i) =>
          custom_fields_values.map(({ field_id, values }) => ({ field_id, values, id: ids[i] as number })),
        )
        if (values.length > 0)
          await inside('keys', [
            values.map(({ field_id }) => field_id),
            values.map(({ values }) => values[0]?.value),
            values.map(({ id }) => id),
          ])
        await inside('events', [
          [...ids.map(() => 1), ...values.map(() => 24)],
          [...ids, ...values.map(({ id }) => id)],
          [...ids.map(() => '[{"note":{"id":1}}]'), ...values.map(({ values }) => JSON.stringify(values))],
          now(),
        ])
        await client.query('commit')
        return ids
      } finally {
        client.release()
      }
    },
    change: async (id, after) => {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const inside = on(client)
        const [before] = (await inside('price', [id])).rows
        await inside('set_price', [after, now(), id])
        await inside('change', [id, now(), `[{"sale":${after}}]`, `[{"sale":${before.price}}]`])
        await client.query('commit')
      } finally {
        client.release()
      }
    },
    list: async (after, limit) => (await run('list', [after, limit])).rows,
    filter: async (field_id, key, after, limit) => (await run('filter', [field_id, key, after, limit])).rows,
    close: () => pool.end(),
  }
}
