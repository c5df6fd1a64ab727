import { createRoute } from '@tanstack/react-router'
import { queryClient } from '../data/query-client.ts'
import { type Collection, elementsOf, recordOptions } from '../data/records.ts'
import { lazyPage, listSearch, shell } from './base.ts'

const card = (name: 'LeadCard' | 'ContactCard' | 'CompanyCard' | 'CustomerCard' | 'ElementCard') =>
  lazyPage(() => import('../cards/card-page.tsx'), name)
/** Hovering a link preloads the card. */
const ahead = (collection: Collection, id: string) => {
  queryClient.prefetchQuery(recordOptions(collection, Number(id)))
}

const leads = createRoute({
  getParentRoute: () => shell,
  path: '/leads',
  validateSearch: listSearch,
  component: lazyPage(() => import('../entities/leads-page.tsx'), 'LeadsPage'),
})
const lead = createRoute({
  getParentRoute: () => shell,
  path: '/leads/$id',
  loader: ({ params }) => ahead('leads', params.id),
  component: card('LeadCard'),
})
const contacts = createRoute({
  getParentRoute: () => shell,
  path: '/contacts',
  validateSearch: listSearch,
  component: lazyPage(() => import('../entities/list-pages.tsx'), 'ContactsPage'),
})
const contact = createRoute({
  getParentRoute: () => shell,
  path: '/contacts/$id',
  loader: ({ params }) => ahead('contacts', params.id),
  component: card('ContactCard'),
})
const companies = createRoute({
  getParentRoute: () => shell,
  path: '/companies',
  validateSearch: listSearch,
  component: lazyPage(() => import('../entities/list-pages.tsx'), 'CompaniesPage'),
})
const company = createRoute({
  getParentRoute: () => shell,
  path: '/companies/$id',
  loader: ({ params }) => ahead('companies', params.id),
  component: card('CompanyCard'),
})
const customers = createRoute({
  getParentRoute: () => shell,
  path: '/customers',
  validateSearch: listSearch,
  component: lazyPage(() => import('../entities/list-pages.tsx'), 'CustomersPage'),
})
const customer = createRoute({
  getParentRoute: () => shell,
  path: '/customers/$id',
  loader: ({ params }) => ahead('customers', params.id),
  component: card('CustomerCard'),
})
const lists = createRoute({
  getParentRoute: () => shell,
  path: '/lists',
  component: lazyPage(() => import('../catalogs/lists-page.tsx'), 'ListsPage'),
})
const elements = createRoute({
  getParentRoute: () => shell,
  path: '/lists/$catalogId',
  validateSearch: listSearch,
  component: lazyPage(() => import('../catalogs/elements-page.tsx'), 'ElementsPage'),
})
const element = createRoute({
  getParentRoute: () => shell,
  path: '/lists/$catalogId/$id',
  loader: ({ params }) => ahead(elementsOf(Number(params.catalogId)), params.id),
  component: card('ElementCard'),
})
const imports = createRoute({
  getParentRoute: () => shell,
  path: '/import',
  component: lazyPage(() => import('../jobs/jobs-page.tsx'), 'JobsPage'),
})
const newImport = createRoute({
  getParentRoute: () => shell,
  path: '/import/new/$kind',
  component: lazyPage(() => import('../jobs/new-import-page.tsx'), 'NewImportPage'),
})
const job = createRoute({
  getParentRoute: () => shell,
  path: '/import/$jobId',
  component: lazyPage(() => import('../jobs/job-page.tsx'), 'JobPage'),
})

export const recordRoutes = [
  leads,
  lead,
  contacts,
  contact,
  companies,
  company,
  customers,
  customer,
  lists,
  elements,
  element,
  imports,
  newImport,
  job,
] as const
