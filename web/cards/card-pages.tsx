import { getRouteApi } from '@tanstack/react-router'
import { elementsOf } from '../data/records.ts'
import { CardPage } from './card-page.tsx'

const lead = getRouteApi('/shell/leads/$id')
const contact = getRouteApi('/shell/contacts/$id')
const company = getRouteApi('/shell/companies/$id')
const customer = getRouteApi('/shell/customers/$id')
const element = getRouteApi('/shell/lists/$catalogId/$id')

/** The key resets the card for each record, so that open editors close. */
export function LeadCard() {
  const { id } = lead.useParams()
  return <CardPage key={id} collection="leads" id={Number(id)} />
}

export function ContactCard() {
  const { id } = contact.useParams()
  return <CardPage key={id} collection="contacts" id={Number(id)} />
}

export function CompanyCard() {
  const { id } = company.useParams()
  return <CardPage key={id} collection="companies" id={Number(id)} />
}

export function CustomerCard() {
  const { id } = customer.useParams()
  return <CardPage key={id} collection="customers" id={Number(id)} />
}

export function ElementCard() {
  const { catalogId, id } = element.useParams()
  return <CardPage key={`${catalogId} ${id}`} collection={elementsOf(Number(catalogId))} id={Number(id)} />
}
