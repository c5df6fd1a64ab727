import { expect, test } from 'vitest'
import { writtenPath } from './written-paths.ts'

test.each([
  [{ element_id: 1 }, 'entity_id', 'element_id'],
  [{ complete_till_at: 'x' }, 'complete_till', 'complete_till_at'],
  [{ complete_till: 'x' }, 'complete_till', 'complete_till'],
  [{ status: 'x' }, 'is_completed', 'status'],
  [{ price: 'x' }, 'price', 'price'],
  [{ sale: 'x' }, 'price', 'sale'],
  [{ custom_fields: [] }, 'custom_fields_values.2.field_id', 'custom_fields.2.id'],
  [{ custom_fields: [] }, 'custom_fields_values.2.values.0.enum_code', 'custom_fields.2.values.0.enum'],
  [{ linked_leads_id: [1] }, '_embedded.leads.0.id', 'linked_leads_id'],
  [{ company_id: 1 }, '_embedded.companies.0.id', 'company_id'],
  [{}, '_embedded.contacts.0.id', '_embedded.contacts.0.id'],
  [{}, 'complete_till', 'complete_till'],
  [{}, '', ''],
  [{}, 'constructor', 'constructor'],
  [{}, '__proto__.0', '__proto__.0'],
  [{}, '_embedded.constructor', '_embedded.constructor'],
  [{ custom_fields: [] }, 'custom_fields_values.0.constructor', 'custom_fields.0.constructor'],
])('a fault of %j at %j is at %j', (item, path, expected) => {
  expect(writtenPath(item, path)).toBe(expected)
})
