import { type Static, Type } from 'typebox'
import { denied, isWider, limits } from './right-types.ts'

export { type Width, widths } from './right-types.ts'

const WidthOf = Type.Enum(['A', 'G', 'M', 'D'], {
  description: '`A` all, `G` those of people in the same group, `M` their own, `D` none.',
})
const AllOrNone = Type.Enum(['A', 'D'], { description: '`A` allowed, `D` denied.' })
const OfElements = Type.Enum(['A', 'L', 'D'], {
  description: '`A` all, `L` elements that are linked to a visible record, `D` none.',
})
const EntityRights = Type.Object(
  {
    view: WidthOf,
    edit: WidthOf,
    add: AllOrNone,
    delete: WidthOf,
    export: WidthOf,
  },
  { title: 'EntityRights' },
)

/** The rights of a person or a role (docs/wire/account.md#rights). */
export const Rights = Type.Object(
  {
    leads: EntityRights,
    contacts: EntityRights,
    companies: EntityRights,
    tasks: Type.Object({ edit: WidthOf, delete: WidthOf }),
    mail_access: Type.Boolean(),
    catalog_access: Type.Boolean(),
    status_rights: Type.Union(
      [
        Type.Null(),
        Type.Array(
          Type.Object({
            entity_type: Type.Enum(['leads']),
            pipeline_id: Type.Integer(),
            status_id: Type.Integer(),
            rights: Type.Object({
              view: AllOrNone,
              edit: AllOrNone,
              delete: AllOrNone,
              export: Type.Optional(AllOrNone),
            }),
          }),
        ),
      ],
      {
        description:
          'The rights in single stages, which alone decide for the leads there. Null: no stage has its own.',
      },
    ),
    catalog_rights: Type.Union(
      [
        Type.Null(),
        Type.Array(
          Type.Object({
            catalog_id: Type.Integer(),
            rights: Type.Object({
              view: OfElements,
              edit: OfElements,
              add: AllOrNone,
              delete: OfElements,
              export: OfElements,
            }),
          }),
        ),
      ],
      {
        description:
          'The rights in single lists, in the place of `catalog_access`. Null: no list has its own.',
      },
    ),
  },
  { title: 'Rights' },
)
export type Rights = Static<typeof Rights>

const all = { view: 'A', edit: 'A', add: 'A', delete: 'A', export: 'A' } as const

/** The rights of an administrator, regardless of stored rights. */
export const everything: Rights = {
  leads: all,
  contacts: all,
  companies: all,
  tasks: { edit: 'A', delete: 'A' },
  mail_access: true,
  catalog_access: true,
  status_rights: null,
  catalog_rights: null,
}

/** Completes partial rights: what is missing is denied. */
export const completeRights = (named: Partial<Rights> = {}): Rights => ({ ...denied, ...named })

/** Finds contradictory rights; each has a dotted path below `rights` and a sentence. */
export function contradictions(rights: Partial<Rights>): { path: string; detail: string }[] {
  const { leads, contacts, companies, tasks, status_rights, catalog_rights } = rights
  const groups: [string, Record<string, string> | undefined][] = [
    ['leads', leads],
    ['contacts', contacts],
    ['companies', companies],
    ['tasks', tasks],
    ...named('status_rights', status_rights),
    ...named('catalog_rights', catalog_rights),
  ]
  return groups.flatMap(([path, group]) => (group ? contradictionsIn(path, group) : []))
}

const named = (
  path: string,
  list: { rights: Record<string, string> }[] | null | undefined,
): [string, Record<string, string>][] =>
  (list ?? []).map(({ rights }, index) => [`${path}.${index}.rights`, rights])

function contradictionsIn(path: string, group: Record<string, string>) {
  const broken = limits.filter(([wider, narrower]) => {
    const [width, limit] = [group[narrower], group[wider]]
    return width && limit && isWider(width, limit)
  })
  const byPath = new Map(broken.map(([wider, narrower]) => [`${path}.${narrower}`, wider]))
  return [...byPath].map(([place, wider]) => ({
    path: place,
    detail: `This right cannot be wider than ${wider}.`,
  }))
}
