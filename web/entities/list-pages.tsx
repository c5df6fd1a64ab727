import { Button } from '@mantine/core'
import { IconBuilding, IconHeartHandshake, IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { accountOptions } from '../data/accounts.ts'
import { EmptyState } from '../parts/layout/empty-state.tsx'
import { FullPage } from '../parts/layout/full-page.tsx'
import { useIsAdministrator } from '../shell/use-session.ts'
import classes from './list.module.css'
import { ListPage } from './list-page.tsx'

const contacts = getRouteApi('/shell/contacts')
const companies = getRouteApi('/shell/companies')
const customers = getRouteApi('/shell/customers')

export function ContactsPage() {
  const { t } = useTranslation()
  const search = contacts.useSearch()
  return (
    <ListPage
      collection="contacts"
      page="contacts"
      title={t('nav.contacts')}
      icon={IconUser}
      search={search}
    />
  )
}

export function CompaniesPage() {
  const { t } = useTranslation()
  const search = companies.useSearch()
  return (
    <ListPage
      collection="companies"
      page="companies"
      title={t('nav.companies')}
      icon={IconBuilding}
      search={search}
    />
  )
}

export function CustomersPage() {
  const { t } = useTranslation()
  const search = customers.useSearch()
  const { data: account } = useQuery(accountOptions)
  if (account?.customers_mode === 'disabled') return <CustomersOff />
  return (
    <ListPage
      collection="customers"
      page="customers"
      title={t('nav.customers')}
      icon={IconHeartHandshake}
      search={search}
    />
  )
}

/** Explains where customers are turned on, if the account does not use them. */
function CustomersOff() {
  const { t } = useTranslation()
  const isAdministrator = useIsAdministrator()
  return (
    <FullPage title={t('nav.customers')}>
      <div className={classes.body}>
        <EmptyState
          icon={IconHeartHandshake}
          title={t('list.customers_off')}
          action={
            isAdministrator && (
              <Button component={Link} to="/settings/pipelines" hash="customers">
                {t('list.customers_settings')}
              </Button>
            )
          }
        >
          {t(isAdministrator ? 'list.customers_off_admin' : 'list.customers_off_text')}
        </EmptyState>
      </div>
    </FullPage>
  )
}
