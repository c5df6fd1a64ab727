import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import type {
  Account,
  AccountPatch,
  Group,
  NewGroup,
  NewRole,
  NewUser,
  PasswordLink,
  Role,
  RolePatch,
  User,
  UserPatch,
} from '../../src/accounts/schemas.ts'
import { query, request } from '../api/client.ts'
import { pagesOf, readPage, readRows } from '../api/lists.ts'
import { queryClient } from './query-client.ts'
import { sessionOptions } from './session.ts'

export type { Account, Group, NewUser, Role, User, UserPatch }
export type Rights = Role['rights']
export type Width = Rights['leads']['view']

interface List<Name extends string, Item> {
  _total_items?: number
  _page?: number
  _links: { next?: { href: string } }
  _embedded: Record<Name, Item[]>
}

const v4 = '/web/v4'
const refresh = (...keys: string[]) =>
  Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] })))

export const accountOptions = queryOptions({
  queryKey: ['account'],
  queryFn: () => request<Account>('GET', `${v4}/account?with=datetime_settings,task_types`),
})

export const patchAccount = mutationOptions({
  mutationFn: (patch: AccountPatch) => request<Account>('PATCH', `${v4}/account`, patch),
  onSuccess: () => Promise.all([refresh('account'), queryClient.invalidateQueries(sessionOptions)]),
})

export const usersOptions = infiniteQueryOptions({
  queryKey: ['users'],
  ...pagesOf((next) =>
    readPage<User>(next ?? `${v4}/users${query({ with: 'role,group', limit: 250 })}`, 'users'),
  ),
})

export const userOptions = (id: number) =>
  queryOptions({
    queryKey: ['users', id],
    queryFn: () => request<User>('GET', `${v4}/users/${id}${query({ with: 'role,group' })}`),
  })

export const addUser = mutationOptions({
  mutationFn: async (user: NewUser) => {
    const added = await request<List<'users', User>>('POST', `${v4}/users`, [user])
    return added._embedded.users[0]
  },
  onSuccess: () => refresh('users'),
})

export const patchUser = mutationOptions({
  mutationFn: ({ id, ...patch }: UserPatch & { id: number }) =>
    request<User>('PATCH', `${v4}/users/${id}`, patch),
  onSuccess: () => refresh('users', 'session'),
})

export const switchUser = mutationOptions({
  mutationFn: ({ id, active }: { id: number; active: boolean }) =>
    request<void>('POST', `${v4}/users/${id}/${active ? 'activate' : 'deactivate'}`),
  onSuccess: () => refresh('users'),
})

export const removeUser = mutationOptions({
  mutationFn: (id: number) => request<void>('DELETE', `${v4}/users/${id}`),
  onSuccess: () => refresh('users'),
})

export const makePasswordLink = mutationOptions({
  mutationFn: (id: number) => request<PasswordLink>('POST', `/web/people/${id}/password_link`),
})

/** In `patchbay dev` alone. */
export const setPaid = mutationOptions({
  mutationFn: (is_paid: boolean) => request<void>('PUT', '/web/account/paid', { is_paid }),
  onSuccess: () => queryClient.invalidateQueries(sessionOptions),
})

export const rolesOptions = queryOptions({
  queryKey: ['roles'],
  queryFn: () => readRows<Role>(`${v4}/roles?with=users&limit=250`, 'roles'),
})

export const addRole = mutationOptions({
  mutationFn: (role: NewRole) => request<Role>('POST', `${v4}/roles`, role),
  onSuccess: () => refresh('roles'),
})

export const patchRole = mutationOptions({
  mutationFn: ({ id, ...patch }: RolePatch & { id: number }) =>
    request<Role>('PATCH', `${v4}/roles/${id}`, patch),
  onSuccess: () => refresh('roles', 'users'),
})

export const removeRole = mutationOptions({
  mutationFn: (id: number) => request<void>('DELETE', `${v4}/roles/${id}`),
  onSuccess: () => refresh('roles', 'users'),
})

export const groupsOptions = queryOptions({
  queryKey: ['groups'],
  queryFn: () => readRows<Group>(`${v4}/groups?limit=250`, 'groups'),
})

export const addGroup = mutationOptions({
  mutationFn: (group: NewGroup) => request<Group>('POST', `${v4}/groups`, group),
  onSuccess: () => refresh('groups'),
})

export const renameGroup = async (id: number, name: string): Promise<void> => {
  await request<Group>('PATCH', `${v4}/groups/${id}`, { name })
  await refresh('groups', 'users')
}

export const removeGroup = mutationOptions({
  mutationFn: (id: number) => request<void>('DELETE', `${v4}/groups/${id}`),
  onSuccess: () => refresh('groups', 'users'),
})
