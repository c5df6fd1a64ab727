import { type Static, Type } from 'typebox'

/**
 * The rights of a member (A10). Each right has a width: all records, those of the group, those for which the member
 * is responsible, or none. Lists also have a width for elements that are linked to a visible record.
 */
export const widths = ['A', 'G', 'M', 'D'] as const
export type Width = (typeof widths)[number]

const WidthOf = Type.Enum(['A', 'G', 'M', 'D'])
const AllOrNone = Type.Enum(['A', 'D'])
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

export const Rights = Type.Object(
  {
    leads: EntityRights,
    contacts: EntityRights,
    companies: EntityRights,
    tasks: Type.Object({ edit: WidthOf, delete: WidthOf }),
    mail_access: Type.Boolean(),
    catalog_access: Type.Boolean(),
    status_rights: Type.Union([
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
    ]),
    catalog_rights: Type.Union([
      Type.Null(),
      Type.Array(
        Type.Object({
          catalog_id: Type.Integer(),
          rights: Type.Object({
            view: Type.Enum(['A', 'L', 'D']),
            edit: Type.Enum(['A', 'L', 'D']),
            add: AllOrNone,
            delete: Type.Enum(['A', 'L', 'D']),
            export: Type.Enum(['A', 'L', 'D']),
          }),
        }),
      ),
    ]),
  },
  { title: 'Rights' },
)
export type Rights = Static<typeof Rights>

const none = { view: 'D', edit: 'D', add: 'D', delete: 'D', export: 'D' } as const
const all = { view: 'A', edit: 'A', add: 'A', delete: 'A', export: 'A' } as const

const denied: Rights = {
  leads: none,
  contacts: none,
  companies: none,
  tasks: { edit: 'D', delete: 'D' },
  mail_access: false,
  catalog_access: false,
  status_rights: null,
  catalog_rights: null,
}

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

type Path = [wider: string, narrower: string]

/** `edit` cannot be wider than `view`, and so on: invisible records cannot be changed. */
const orders: Path[] = [
  ['view', 'edit'],
  ['view', 'delete'],
  ['edit', 'delete'],
  ['view', 'export'],
]
const WIDEST_FIRST = 'ALGMD'

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
  const width = (right: string) => WIDEST_FIRST.indexOf(group[right] ?? '')
  const broken = orders.filter(
    ([wider, narrower]) => group[wider] && group[narrower] && width(narrower) < width(wider),
  )
  const byPath = new Map(broken.map(([wider, narrower]) => [`${path}.${narrower}`, wider]))
  return [...byPath].map(([place, wider]) => ({
    path: place,
    detail: `This right cannot be wider than ${wider}.`,
  }))
}
