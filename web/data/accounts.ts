import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { pagesOf, readAllRows, readPage } from '../api/lists.ts'
import { queryClient } from './query-client.ts'
import { sessionOptions } from './session.ts'

export type Account = Schemas['Account']
export type Group = Schemas['Group']
export type NewUser = Schemas['UsersCreateBody'][number]
export type Role = Schemas['Role']
type NewRole = Exclude<Schemas['RolesCreateBody'], unknown[]>
export type User = Schemas['User']
export type UserPatch = Schemas['UsersUpdateBody']
export type Rights = Role['rights']
export type Width = Rights['leads']['view']

const refresh = (...keys: string[]) =>
  Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] })))

export const accountOptions = queryOptions({
  queryKey: ['account'],
  queryFn: () =>
    dataOf(api.GET('/web/v4/account', { params: { query: { with: ['datetime_settings', 'task_types'] } } })),
})

export const patchAccount = mutationOptions({
  mutationFn: (patch: Schemas['AccountUpdateBody']) => dataOf(api.PATCH('/web/v4/account', { body: patch })),
  onSuccess: () => Promise.all([refresh('account'), queryClient.invalidateQueries(sessionOptions)]),
})

export const usersOptions = infiniteQueryOptions({
  queryKey: ['users'],
  ...pagesOf((next) =>
    readPage(
      api.GET('/web/v4/users', { params: { query: next ?? { with: ['role', 'group'], limit: 250 } } }),
      ({ users }) => users,
    ),
  ),
})

export const userOptions = (id: number) =>
  queryOptions({
    queryKey: ['users', id],
    queryFn: () =>
      dataOf(api.GET('/web/v4/users/{id}', { params: { path: { id }, query: { with: ['role', 'group'] } } })),
  })

export const addUser = mutationOptions({
  mutationFn: async (user: NewUser) => {
    const { _embedded } = await dataOf(api.POST('/web/v4/users', { body: [user] }))
    return _embedded.users[0]
  },
  onSuccess: () => refresh('users', 'colleagues'),
})

export const patchUser = mutationOptions({
  mutationFn: ({ id, ...body }: UserPatch & { id: number }) =>
    dataOf(api.PATCH('/web/v4/users/{id}', { params: { path: { id } }, body })),
  onSuccess: () => refresh('users', 'colleagues', 'session'),
})

export const switchUser = mutationOptions({
  mutationFn: ({ id, active }: { id: number; active: boolean }) =>
    api.POST(`/web/v4/users/{id}/${active ? 'activate' : 'deactivate'}`, { params: { path: { id } } }),
  onSuccess: () => refresh('users', 'colleagues'),
})

export const removeUser = mutationOptions({
  mutationFn: (id: number) => api.DELETE('/web/v4/users/{id}', { params: { path: { id } } }),
  onSuccess: () => refresh('users', 'colleagues'),
})

export const makePasswordLink = mutationOptions({
  mutationFn: (id: number) =>
    dataOf(api.POST('/web/people/{id}/password_link', { params: { path: { id } } })),
})

/** Only in `patchbay dev`. */
export const setPaid = mutationOptions({
  mutationFn: (is_paid: boolean) => api.PUT('/web/account/paid', { body: { is_paid } }),
  onSuccess: () => queryClient.invalidateQueries(sessionOptions),
})

export const rolesOptions = queryOptions({
  queryKey: ['roles'],
  queryFn: () =>
    readAllRows((next) =>
      readPage(
        api.GET('/web/v4/roles', { params: { query: next ?? { with: ['users'], limit: 250 } } }),
        ({ roles }) => roles,
      ),
    ),
})

export const addRole = mutationOptions({
  mutationFn: (role: NewRole) => dataOf(api.POST('/web/v4/roles', { body: role })),
  onSuccess: () => refresh('roles'),
})

export const patchRole = mutationOptions({
  mutationFn: ({ id, ...body }: Schemas['RolesUpdateBody'] & { id: number }) =>
    dataOf(api.PATCH('/web/v4/roles/{id}', { params: { path: { id } }, body })),
  onSuccess: () => refresh('roles', 'users'),
})

export const removeRole = mutationOptions({
  mutationFn: (id: number) => api.DELETE('/web/v4/roles/{id}', { params: { path: { id } } }),
  onSuccess: () => refresh('roles', 'users'),
})

export const groupsOptions = queryOptions({
  queryKey: ['groups'],
  queryFn: () =>
    readAllRows((next) =>
      readPage(
        api.GET('/web/v4/groups', { params: { query: next ?? { limit: 250 } } }),
        ({ groups }) => groups,
      ),
    ),
})

export const addGroup = mutationOptions({
  mutationFn: (group: Schemas['NewGroup']) => dataOf(api.POST('/web/v4/groups', { body: group })),
  onSuccess: () => refresh('groups'),
})

export const renameGroup = async (id: number, name: string): Promise<void> => {
  await api.PATCH('/web/v4/groups/{id}', { params: { path: { id } }, body: { name } })
  await refresh('groups', 'users')
}

export const removeGroup = mutationOptions({
  mutationFn: (id: number) => api.DELETE('/web/v4/groups/{id}', { params: { path: { id } } }),
  onSuccess: () => refresh('groups', 'users'),
})
