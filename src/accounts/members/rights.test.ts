import { describe, expect, test } from 'vitest'
import { completeRights, contradictions, everything, type Rights } from './rights.ts'

const entity = (view: string, edit: string, remove: string, out: string) =>
  ({ view, edit, add: 'A', delete: remove, export: out }) as Rights['leads']

describe('A10: contradictory rights are rejected', () => {
  test.each([
    ['everything', everything],
    ['nothing', completeRights()],
    ['edit as wide as view', { leads: entity('G', 'G', 'M', 'G') }],
    ['add beside no view', { contacts: entity('D', 'D', 'D', 'D') }],
    ['narrower to the right', { companies: entity('A', 'G', 'M', 'D') }],
  ])('%s is accepted', (_what, rights) => {
    expect(contradictions(rights)).toEqual([])
  })

  test.each<[string, Partial<Rights>, string[]]>([
    ['edit wider than view', { leads: entity('M', 'G', 'M', 'M') }, ['leads.edit']],
    ['delete wider than edit', { leads: entity('A', 'M', 'G', 'D') }, ['leads.delete']],
    ['delete wider than view', { contacts: entity('M', 'M', 'A', 'D') }, ['contacts.delete']],
    ['export wider than view', { companies: entity('D', 'D', 'D', 'M') }, ['companies.export']],
    ['deleting tasks wider than editing them', { tasks: { edit: 'M', delete: 'A' } }, ['tasks.delete']],
    [
      'a stage',
      {
        status_rights: [
          {
            entity_type: 'leads',
            pipeline_id: 1,
            status_id: 2,
            rights: { view: 'D', edit: 'A', delete: 'D' },
          },
        ],
      },
      ['status_rights.0.rights.edit'],
    ],
    [
      'a list, where linked is between all and group',
      {
        catalog_rights: [
          { catalog_id: 1, rights: { view: 'L', edit: 'A', add: 'A', delete: 'L', export: 'D' } },
        ],
      },
      ['catalog_rights.0.rights.edit'],
    ],
    [
      'several at once',
      { leads: entity('D', 'A', 'A', 'A') },
      ['leads.edit', 'leads.delete', 'leads.export'],
    ],
  ])('%s is reported by its path', (_what, rights, paths) => {
    expect(contradictions(rights).map(({ path }) => path)).toEqual(paths)
  })
})
