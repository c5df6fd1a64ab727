import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { accountOptions } from '../../data/accounts.ts'
import type { Chat } from '../../data/chats.ts'
import { contactTimeline, leadTimeline } from '../../data/events.ts'
import { pipelineAt, pipelinesOptions, stageAt } from '../../data/pipelines.ts'
import { recordOptions, valuesOf } from '../../data/records.ts'
import { RecentEvents } from '../../events/recent-events.tsx'
import { DescriptionList } from '../../parts/layout/description-list.tsx'
import { RecordLink } from '../../parts/records/record-link.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import { hostOf } from './media-urls.ts'
import classes from './side-panel.module.css'

/** The records of a conversation that the reader can see. */
export function SidePanel({ chat }: { chat: Chat }) {
  const { contact, lead } = chat._embedded
  return (
    <>
      {lead && <LeadPart lead={lead} />}
      {contact && <ContactPart chat={chat} contact={contact} />}
    </>
  )
}

type Lead = NonNullable<Chat['_embedded']['lead']>

function LeadPart({ lead }: { lead: Lead }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: account } = useQuery(accountOptions)
  const { data: pipelines } = useQuery(pipelinesOptions)
  const isOnly = pipelines?.length === 1
  return (
    <section className={classes.part} aria-label={t('records.lead')}>
      <p className={classes.kind}>{t('records.lead')}</p>
      <h3 className={classes.name}>
        <RecordLink collection="leads" id={lead.id}>
          {lead.name || t('search.unnamed', { id: lead.id })}
        </RecordLink>
      </h3>
      <DescriptionList
        of={[
          [t('records.stage'), stageAt(pipelines, lead)?.name],
          [t('records.pipeline'), isOnly ? null : pipelineAt(pipelines, lead)?.name],
          [t('records.price'), account ? format.money(lead.price_with_minor_units, account.currency) : null],
        ]}
      />
      <RecentEvents title={t('records.lead_timeline')} events={leadTimeline(lead.id)} />
    </section>
  )
}

function ContactPart({ chat, contact }: { chat: Chat; contact: { id: number; name: string } }) {
  const { t } = useTranslation()
  const query = useQuery(recordOptions('contacts', contact.id))
  const phones = query.data ? valuesOf(query.data, 'PHONE') : []
  const emails = query.data ? valuesOf(query.data, 'EMAIL') : []
  const { profile_link } = chat.sender
  const profile = hostOf(profile_link)
  return (
    <section className={classes.part} aria-label={t('records.contact')}>
      <p className={classes.kind}>{t('records.contact')}</p>
      <h3 className={classes.name}>
        <RecordLink collection="contacts" id={contact.id}>
          {contact.name || t('search.unnamed', { id: contact.id })}
        </RecordLink>
      </h3>
      <DescriptionList
        of={[
          [t('field.phone'), phones.length > 0 && <Links scheme="tel" of={phones} />],
          [t('field.email'), emails.length > 0 && <Links scheme="mailto" of={emails} />],
          [
            t('records.profile'),
            profile && (
              <a href={profile_link ?? ''} target="_blank" rel="noopener noreferrer">
                {profile}
              </a>
            ),
          ],
        ].map(([title, value]) => [String(title), value || null])}
      />
      <RecentEvents title={t('records.contact_timeline')} events={contactTimeline(contact.id)} />
    </section>
  )
}

function Links({ scheme, of }: { scheme: 'tel' | 'mailto'; of: string[] }) {
  return (
    <ul className={classes.links}>
      {of.map((value) => (
        <li key={value}>
          <a href={`${scheme}:${scheme === 'tel' ? value.replace(/[^\d+]/g, '') : value}`}>{value}</a>
        </li>
      ))}
    </ul>
  )
}
