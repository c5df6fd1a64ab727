import type { TObject } from 'typebox'
import { type Actor, requirePaid } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { findFields } from '../../custom-fields/custom-fields.ts'
import type { Company, Contact, Customer, Lead } from '../../entities/records/record-schemas.ts'
import type { LegacyQuery } from '../list-parameters.ts'
import { companyNames, findRecords } from '../list-records.ts'
import type { RecordKind } from '../record-drafts.ts'
import {
  companyView,
  contactView,
  customerView,
  type Looked,
  leadView,
  V2Company,
  V2Contact,
  V2Customer,
  V2Lead,
} from './record-views.ts'

type Shown = Lead | Contact | Company | Customer

interface Kind {
  item: TObject
  view: (record: never, looked: Looked) => object
}

/** How the second API shows the records of each kind. */
export const recordViews: Record<RecordKind, Kind> = {
  leads: { item: V2Lead, view: leadView },
  contacts: { item: V2Contact, view: contactView },
  companies: { item: V2Company, view: companyView },
  customers: { item: V2Customer, view: customerView },
}

/** The visible records of a kind in the form of the second API, by id, at most 500. */
export async function findV2Records(
  ctx: Context,
  actor: Actor,
  kind: RecordKind,
  ...asked: [LegacyQuery, string | undefined]
): Promise<object[]> {
  requirePaid(ctx, actor)
  const records = (await findRecords(ctx, actor, kind, ...asked)) as Shown[]
  const looked: Looked = {
    fields: await findFields(ctx.db, actor.account_id, kind),
    companies: await companyNames(ctx, actor, records),
  }
  return records.map((record) => recordViews[kind].view(record as never, looked))
}
