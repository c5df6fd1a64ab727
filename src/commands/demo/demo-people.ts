import { type Actor, addMember, addRoles, findActor } from '../../accounts/accounts.ts'
import { completeRights, type Width } from '../../accounts/members/rights.ts'
import type { Context } from '../../context.ts'

/** Colleagues of Ada. Those without a role have their own rights. */
const people: { name: string; email: string; width: Width; role?: string }[] = [
  { name: 'Ben Seller', email: 'ben@demo.example', width: 'A' },
  { name: 'Cleo Winter', email: 'cleo@demo.example', width: 'G', role: 'Shop assistant' },
  { name: 'Dan Park', email: 'dan@demo.example', width: 'M', role: 'Apprentice' },
]

export interface People {
  /** People who can change all records. */
  staff: Actor[]
  /** Ids of all people who are responsible for records. */
  everybody: number[]
}

/** Adds people who see everything, the records of their group, or their own records. */
export async function addColleagues(ctx: Context, ada: Actor): Promise<People> {
  const { account_id, integration, request_id, address } = ada
  const drafts = people.flatMap(({ role, width }) => (role ? [{ name: role, rights: rightsOf(width) }] : []))
  const roles = new Map((await addRoles(ctx, ada, drafts)).map(({ id, name }) => [name, id]))
  const hired: People = { staff: [ada], everybody: [ada.user_id] }
  for (const { name, email, width, role } of people) {
    const membership = role ? { role_id: roles.get(role) as number } : { rights: rightsOf(width) }
    const user_id = await addMember(ctx, account_id, { name, email, password: null, ...membership })
    const actor = await findActor(ctx, { account_id, user_id }, { integration, request_id, address })
    hired.everybody.push(user_id)
    // A person who sees only their own records could not move those of others.
    if (actor && width === 'A') hired.staff.push(actor)
  }
  return hired
}

function rightsOf(width: Width) {
  const records = { view: width, edit: width, add: 'A', delete: 'D', export: 'D' } as const
  return completeRights({
    leads: records,
    contacts: records,
    companies: records,
    tasks: { edit: width, delete: 'D' },
    catalog_access: true,
  })
}
