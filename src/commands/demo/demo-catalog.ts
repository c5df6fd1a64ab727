import type { Actor } from '../../accounts/accounts.ts'
import { addCatalogs, hasCatalog } from '../../catalogs/catalogs.ts'
import type { Context } from '../../context.ts'
import { addFields } from '../../custom-fields/custom-fields.ts'
import { addEntities } from '../../entities/entities.ts'
import { findStages } from '../../pipelines/pipelines.ts'
import { models, prices } from './demo-shop.ts'

/** The bicycles on sale: a list whose elements are linked to leads and purchases. */
export interface Range {
  catalog_id: number
  bicycles: Bicycle[]
}

export interface Bicycle {
  id: number
  model: string
  name: string
  price: number
}

const colours = ['blue', 'black']

const fields = [
  { name: 'Price', type: 'price', code: 'PRICE', sort: 10 },
  { name: 'Number', type: 'text', code: 'SKU', sort: 20 },
  { name: 'In stock', type: 'numeric', code: 'STOCK', sort: 30 },
]

/** Creates the list of bicycles: each model in two colours. */
export async function addRange(ctx: Context, ada: Actor): Promise<Range> {
  const [catalog] = await addCatalogs(ctx, ada, [{ name: 'Bicycles', can_show_in_cards: true }])
  const catalog_id = (catalog as { id: number }).id
  const home = { owner: 'catalogs' as const, catalog_id }
  await addFields(ctx, { hasCatalog, findStages }, ada, home, structuredClone(fields) as never)
  const offered = models.flatMap((model) =>
    colours.map((colour, i) => ({
      model,
      name: `${model}, ${colour}`,
      price: prices[model] + i * 30,
    })),
  )
  const elements = offered.map(({ name, price }, i) => ({
    name,
    custom_fields_values: [
      { field_code: 'PRICE', values: [{ value: String(price) }] },
      { field_code: 'SKU', values: [{ value: `BC-${101 + i}` }] },
      { field_code: 'STOCK', values: [{ value: String((i * 5 + 2) % 9) }] },
    ],
  }))
  const rows = await addEntities(ctx, ada, 'catalog_elements', elements, { catalog_id })
  return { catalog_id, bicycles: offered.map((one, i) => ({ ...one, id: (rows[i] as { id: number }).id })) }
}

/** A link to a bicycle in a draft. */
export const linkTo = ({ catalog_id }: Range, { id }: Bicycle) => ({
  id,
  metadata: { catalog_id, quantity: 1 },
})
