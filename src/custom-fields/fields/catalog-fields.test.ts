import { describe, expect, test } from 'vitest'
import { world } from '../../../test/world.ts'
import { type Actor, findActor } from '../../accounts/accounts.ts'
import { Refusal } from '../../errors.ts'
import {
  addFields,
  changeFields,
  type FieldCollection,
  readField,
  readFields,
  removeField,
} from '../settings/field-changes.ts'
import { fieldView } from '../settings/field-view.ts'
import type { FieldPatch, NewField } from './schemas.ts'

const catalog: FieldCollection = { owner: 'catalogs', catalog_id: 5 }
const hooks = {
  hasCatalog: async (_db: unknown, _actor: unknown, id: number) => id < 7,
  findStages: async () => ({ ids: () => [] }),
}

async function begun() {
  const { ctx, account, admin } = await world()
  const asking = { integration: null, request_id: 'r', address: '' }
  const actor = (await findActor(ctx, { account_id: account.id, user_id: admin.id }, asking)) as Actor
  const view = async (id: number) => {
    const { _links, ...shown } = fieldView(await readField(ctx, hooks, actor, catalog, id), '')
    return shown
  }
  return {
    ctx,
    actor,
    view,
    add: (...drafts: NewField[]) => addFields(ctx, hooks, actor, catalog, drafts),
    patch: (id: number, patch: FieldPatch) =>
      changeFields(ctx, hooks, actor, catalog, [{ ...patch, id }], 'path'),
  }
}

const faultsOf = async (promise: Promise<unknown>) => {
  const error = await promise.catch((thrown) => thrown)
  return error instanceof Refusal ? error.faults.map(({ code, path }) => `${code} ${path}`) : error
}

describe('Fields of a list', () => {
  test('belong to that list, and have settings that only they have', async () => {
    const { ctx, actor, add, view } = await begun()
    const [field] = await add(
      { name: 'Kind', type: 'linked_entity', search_in: 'contacts', is_required: true, is_visible: false },
      { name: 'Price', type: 'price', settings: ['a'] },
    )
    expect(await view(field?.id as number)).toEqual({
      id: field?.id,
      name: 'Kind',
      type: 'linked_entity',
      account_id: 1,
      code: null,
      sort: 500,
      is_api_only: false,
      enums: null,
      group_id: null,
      is_deletable: true,
      is_predefined: false,
      entity_type: 'catalogs',
      catalog_id: 5,
      is_visible: false,
      is_required: true,
      remind: null,
      nested: null,
      settings: null,
      search_in: 'contacts',
      disabled: false,
      origin: null,
    })
    const listed = async (catalog_id: number) =>
      (await readFields(ctx, hooks, actor, { ...catalog, catalog_id })).list.map(({ name }) => name)
    expect(await listed(5)).toEqual(['Kind', 'Price'])
    expect(await listed(6)).toEqual([])
    await expect(listed(7)).rejects.toMatchObject({ reason: 'not_found' })
    const elsewhere = { ...catalog, catalog_id: 6 }
    await expect(
      removeField(ctx, hooks, actor, elsewhere, field?.id as number, undefined),
    ).rejects.toMatchObject({ reason: 'not_found' })
  })

  test('a category is a tree, whose new entries refer to each other by request_id', async () => {
    const { add, patch, view } = await begun()
    const [field] = await add({
      name: 'Category',
      type: 'category',
      nested: [
        { value: 'Shoes', request_id: 'shoes' },
        { value: 'Boots', parent_request_id: 'shoes', request_id: 2 },
        { value: 'Winter', parent_request_id: 2, sort: 9 },
      ],
    })
    const id = field?.id as number
    const [shoes, boots, winter] = (await view(id)).nested ?? []
    expect((await view(id)).nested).toEqual([
      { id: shoes?.id, parent_id: null, value: 'Shoes', sort: 1 },
      { id: boots?.id, parent_id: shoes?.id, value: 'Boots', sort: 2 },
      { id: winter?.id, parent_id: boots?.id, value: 'Winter', sort: 9 },
    ])
    expect((await view(id)).enums).toBeNull()
    const nested = [
      { id: winter?.id },
      { id: boots?.id, value: 'Boot', parent_id: winter?.id },
      { value: 'Boot', parent_id: boots?.id },
    ]
    expect(await faultsOf(patch(id, { nested }))).toEqual([
      'NotSupportedChoice nested.0.parent_id',
      'NotSupportedChoice nested.1.parent_id',
    ])
    nested[0] = { id: winter?.id, parent_id: null } as never
    await patch(id, { nested })
    const after = (await view(id)).nested ?? []
    expect(after).toEqual([
      { id: winter?.id, parent_id: null, value: 'Winter', sort: 1 },
      { id: boots?.id, parent_id: winter?.id, value: 'Boot', sort: 2 },
      { id: after[2]?.id, parent_id: boots?.id, value: 'Boot', sort: 3 },
    ])
  })

  test('a category with an unknown parent, or with itself as its parent, is rejected', async () => {
    const { add } = await begun()
    const draft = (nested: FieldPatch['nested']) => add({ name: 'C', type: 'category', nested })
    expect(await faultsOf(draft([{ value: 'a', parent_id: 9_999 }]))).toEqual([
      'NotSupportedChoice nested.0.parent_id',
    ])
    expect(await faultsOf(draft([{ value: 'a', parent_request_id: 'x' }]))).toEqual([
      'NotSupportedChoice nested.0.parent_request_id',
    ])
    expect(await faultsOf(draft([{ value: 'a', request_id: 'a', parent_request_id: 'a' }]))).toEqual([
      'NotSupportedChoice nested.0.parent_id',
    ])
    expect(await faultsOf(draft(null))).toEqual(['FieldMissing nested'])
    expect(await faultsOf(draft([]))).toEqual(['TooFew nested'])
  })

  test('are limited to a thousand', async () => {
    const { add } = await begun()
    const some = Array.from({ length: 250 }, (_, i): NewField => ({ name: `F${i}`, type: 'text' }))
    for (let i = 0; i < 4; i++) await add(...some)
    await expect(add(some[0] as NewField)).rejects.toMatchObject({ code: 'field_limit' })
  })
})
