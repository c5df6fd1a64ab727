import { type Actor, changeCustomersMode } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { addEntities, addTransactions } from '../../entities/entities.ts'
import { type Bicycle, linkTo, type Range } from './demo-catalog.ts'
import { pick, type Random } from './demo-shop.ts'
import { DAY } from './demo-times.ts'

/** Repeat customers: firms that rent bicycles, and people who have theirs serviced. */
export interface RepeatCustomers {
  /** Adds a purchase of one of them. */
  buy(ctx: Context, actor: Actor, random: Random): Promise<void>
}

const remarks = ['Yearly service', 'Tyres and lights', 'Three more for the staff', 'A trailer', null]
const MONTHLY = 30
const QUARTERLY = 90

/** Enables customers in the account, and creates one for each of these contacts. */
export async function addRepeatCustomers(
  ctx: Context,
  ada: Actor,
  contacts: readonly { id: number; name: string }[],
  range: Range,
  responsible: (n: number) => number,
): Promise<RepeatCustomers> {
  await changeCustomersMode(ctx, ada, 'periodicity')
  const drafts = contacts.map(({ id, name }, n) => ({
    name,
    responsible_user_id: responsible(n),
    periodicity: n % 3 === 0 ? MONTHLY : QUARTERLY,
    next_price: 60 + (n % 5) * 40,
    next_date: ctx.now() + (n + 20) * DAY,
    _embedded: { contacts: [{ id }] },
  }))
  const customers = await addEntities(ctx, ada, 'customers', drafts)
  return {
    async buy(ctx, actor, random) {
      const customer = pick(random, customers)
      const comment = pick(random, remarks)
      const bicycle: Bicycle | null = random() < 0.3 ? pick(random, range.bicycles) : null
      const draft = {
        price: bicycle?.price ?? 40 + Math.floor(random() * 20) * 10,
        comment: bicycle ? null : comment,
        completed_at: ctx.now(),
        ...(bicycle && { _embedded: { catalog_elements: [linkTo(range, bicycle)] } }),
      }
      await addTransactions(ctx, actor, customer.id, [draft])
    },
  }
}
