import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import {
  addPipelines,
  mainPipeline,
  PIPELINES,
  refusalOf,
  wholesale,
} from '../../../test/fixtures/pipelines.ts'
import { add, log, traces } from '../../../test/fixtures/records.ts'
import { BEGINNING, world } from '../../../test/world.ts'
import { type Actor, findActor } from '../../accounts/accounts.ts'
import type { Status } from '../../pipelines/schemas.ts'
import { beginWrite, restoreInside } from '../entities.ts'

/** Only PostgreSQL has concurrent writers. */
const onPostgres = test.runIf(process.env.TEST_DATABASE === 'postgres')

const kinds = [
  ['leads', 'lead'],
  ['contacts', 'contact'],
  ['companies', 'company'],
  ['customers', 'customer'],
] as const

describe('The trash', () => {
  test.each(kinds)('%s can be deleted and restored, and both are recorded', async (type, singular) => {
    const { admin, ctx, clock } = await world()
    const { browser } = admin
    const tags = [{ name: 'kept' }]
    const id = await add(browser, type, { name: 'Roof', _embedded: { tags } })
    const shown = (await browser.get(`/web/v4/${type}/${id}`)).body
    const known = (await log(ctx)).length
    clock.advance(5)
    const gone = await browser.delete(`/web/v4/${type}/${id}`)
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await browser.get(`/web/v4/${type}/${id}`)).status).toBe(204)
    expect((await browser.get(`/web/v4/${type}`)).body._embedded[type]).toEqual([])
    expect((await browser.patch(`/web/v4/${type}/${id}`, { name: 'x' })).status).toBe(404)
    const trash = (await browser.get(`/web/v4/${type}?with=only_deleted`)).body._embedded[type]
    expect(trash).toMatchObject([{ id, is_deleted: true, updated_at: BEGINNING + 5, updated_by: admin.id }])
    const back = await browser.post(`/web/v4/${type}/${id}/restore`)
    expect(back.status).toBe(200)
    expect((await browser.get(`/web/v4/${type}/${id}`)).body).toEqual({ ...shown, updated_at: BEGINNING + 5 })
    const about = { entity: [singular, id], by: admin.id, before: [], after: [] }
    expect((await log(ctx)).slice(known)).toEqual([
      { type: `${singular}_deleted`, ...about },
      // The log has no event type for a restored customer.
      ...(type === 'customers' ? [] : [{ type: `${singular}_restored`, ...about }]),
    ])
  })

  test('a batch is deleted completely or not at all', async () => {
    const { admin, ctx } = await world()
    const { browser } = admin
    const ids = [await add(browser, 'leads'), await add(browser, 'leads')]
    const before = await traces(ctx)
    expect((await browser.delete('/web/v4/leads', [{ id: ids[0] }, { id: 999 }])).status).toBe(400)
    expect([await traces(ctx), (await browser.get('/web/v4/leads')).body._embedded.leads.length]).toEqual([
      before,
      2,
    ])
    expect(
      (
        await browser.delete(
          '/web/v4/leads',
          ids.map((id) => ({ id })),
        )
      ).status,
    ).toBe(204)
    expect((await browser.get('/web/v4/leads')).status).toBe(204)
  })

  test('restoring a record outside the trash, or deleting one in it, returns 404', async () => {
    const { admin } = await world()
    const id = await add(admin.browser, 'leads')
    expect((await admin.browser.post(`/web/v4/leads/${id}/restore`)).status).toBe(404)
    await admin.browser.delete(`/web/v4/leads/${id}`)
    expect((await admin.browser.delete(`/web/v4/leads/${id}`)).status).toBe(404)
  })

  test('a restored lead of a deleted pipeline starts in the main one', async () => {
    const all = await world()
    const { browser } = all.admin
    const [other] = await addPipelines(all, wholesale)
    const id = await add(browser, 'leads', { pipeline_id: other.id })
    await browser.delete(`/web/v4/leads/${id}`)
    expect((await browser.delete(`/web/v4/leads/pipelines/${other.id}`)).status).toBe(204)
    await browser.post(`/web/v4/leads/${id}/restore`)
    const fresh = await add(browser, 'leads')
    const placeOf = async (lead: number) => {
      const { pipeline_id, status_id } = (await browser.get(`/web/v4/leads/${lead}`)).body
      return { pipeline_id, status_id }
    }
    expect(await placeOf(id)).toEqual(await placeOf(fresh))
  })

  test('a restored lead that gets another stage is open there, and the log has the change', async () => {
    const all = await world()
    const { browser } = all.admin
    const [other] = await addPipelines(all, wholesale)
    const [reason] = (await browser.get('/web/v4/leads/loss_reasons')).body._embedded.loss_reasons
    const lost = { pipeline_id: other.id, status_id: 143 }
    const id = await add(browser, 'leads', { ...lost, loss_reason_id: reason.id })
    await browser.delete(`/web/v4/leads/${id}`)
    await browser.delete(`/web/v4/leads/pipelines/${other.id}`)
    const known = (await log(all.ctx)).length
    await browser.post(`/web/v4/leads/${id}/restore`)
    const { pipeline_id, status_id, closed_at, loss_reason_id } = (await browser.get(`/web/v4/leads/${id}`))
      .body
    expect([closed_at, loss_reason_id]).toEqual([null, null])
    const about = { entity: ['lead', id], by: all.admin.id }
    expect((await log(all.ctx)).slice(known)).toEqual([
      { type: 'lead_restored', ...about, before: [], after: [] },
      {
        type: 'lead_status_changed',
        ...about,
        before: [{ lead_status: { id: 143, pipeline_id: other.id } }],
        after: [{ lead_status: { id: status_id, pipeline_id } }],
      },
    ])
  })

  test('a customer of a deleted stage is in the first one, and the log has it', async () => {
    const all = await world()
    const { browser } = all.admin
    const added = await browser.post('/web/v4/customers/statuses', [{ name: 'VIP', sort: 50 }])
    const stage = added.body._embedded.statuses[0].id
    const id = await add(browser, 'customers', { name: 'Kim', status_id: stage })
    await browser.delete(`/web/v4/customers/${id}`)
    expect((await browser.delete(`/web/v4/customers/statuses/${stage}`)).status).toBe(204)
    await browser.post(`/web/v4/customers/${id}/restore`)
    const { status_id } = (await browser.get(`/web/v4/customers/${id}`)).body
    expect((await log(all.ctx, { entity_id: id })).at(-1)).toMatchObject({
      type: 'customer_status_changed',
      before: [{ customer_status: { id: stage } }],
      after: [{ customer_status: { id: status_id } }],
    })
  })

  onPostgres('the stage of a lead cannot be deleted before the restored lead is visible there', async () => {
    const all = await world()
    const { admin, ctx, account } = all
    const main = await mainPipeline(all)
    const [, , stage] = main._embedded.statuses as [Status, Status, Status]
    const id = await add(admin.browser, 'leads', { pipeline_id: main.id, status_id: stage.id })
    await admin.browser.delete(`/web/v4/leads/${id}`)
    const at = { account_id: account.id, user_id: admin.id }
    const actor = await findActor(ctx, at, { integration: null, request_id: 'r', address: 'a' })
    let deleting: ReturnType<typeof admin.browser.delete> | undefined
    await ctx.db.transaction().execute(async (tx) => {
      await restoreInside(await beginWrite(ctx, tx, actor as Actor), 'leads', [id], 'path')
      deleting = admin.browser.delete(`${PIPELINES}/${main.id}/statuses/${stage.id}`)
      await Promise.race([deleting, setTimeout(1_000)])
    })
    expect(refusalOf(await (deleting as NonNullable<typeof deleting>))).toEqual([409, 'stage_in_use'])
  })
})
