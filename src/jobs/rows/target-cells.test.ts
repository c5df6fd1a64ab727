import { expect, test } from 'vitest'
import { leastCost } from '../../../test/openapi/cost.ts'
import type { Field } from '../../custom-fields/custom-fields.ts'
import { offerOf } from '../../custom-fields/fields/value-kinds.ts'
import type { ImportLookup } from './import-lookup.ts'
import type { RowPlan } from './row-drafts.ts'
import { writeCell } from './target-cells.ts'

/** Enough for a measurable time. */
const CHOICES = 200_000

test('the cost of a cell with many differently spelled choices is linear', async () => {
  const costOfCells = async (count: number) => {
    const enums = Array.from({ length: count }, (_, i) => ({
      id: i,
      value: `Choice ${i}`,
      sort: i,
      code: null,
    }))
    const field = { id: 5, type: 'multiselect', ...offerOf(enums) } as Field
    const lookup = {
      fields: { list: [field], byId: new Map([[5, field]]), byCode: new Map() },
      targets: new Map([['field.5', {}]]),
    } as unknown as ImportLookup
    const cell = enums.map(({ value }) => value.toUpperCase()).join(';')
    let plan = { draft: {} } as RowPlan
    const { cpu } = await leastCost(2, async () => {
      for (let i = 0; i < CHOICES / count; i++) {
        plan = { draft: {} } as RowPlan
        writeCell(plan, 'field.5', cell, lookup)
      }
    })
    expect(plan.draft.custom_fields_values?.[0]?.values).toEqual(enums.map(({ id }) => ({ enum_id: id })))
    return cpu
  }
  // The same number of choices in fewer cells.
  expect(await costOfCells(2_000)).toBeLessThan(8 * (await costOfCells(100)))
})
