import { type Static, Type } from 'typebox'
import { Name } from '../accounts/members/schemas.ts'

/** The page of a view. The elements of each list of the account have their own page. */
const ViewedPage = Type.String({
  pattern: '^(leads|contacts|companies|customers|tasks|events|lists/[1-9]\\d{0,15})$',
})
/** The query string of the page's address. */
const Search = Type.String({ maxLength: 8_000, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })

export const View = Type.Object(
  {
    id: Type.Integer(),
    page: Type.String(),
    name: Type.String(),
    search: Type.String(),
    is_shared: Type.Boolean(),
    created_by: Type.Integer(),
  },
  { title: 'View' },
)
export type View = Static<typeof View>

export const ViewList = Type.Object({ views: Type.Array(View) })

export const NewView = Type.Object({
  page: ViewedPage,
  name: Name(100),
  search: Search,
  is_shared: Type.Optional(Type.Boolean()),
})
export type NewView = Static<typeof NewView>

export const ViewPatch = Type.Partial(
  Type.Object({ name: Name(100), search: Search, is_shared: Type.Boolean() }),
)
export type ViewPatch = Static<typeof ViewPatch>
