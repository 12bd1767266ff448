"""Readable papers of no type that the program knows."""
import datetime as dt
from decimal import Decimal

from base import Doc, design
from engines import Ops, data_uri, logo, signature, stamp
from world import date, money, q2


def other(w, cc, lang, engine, kind, src=None, day=None, **kw):
    d = Doc(w, cc, lang, w.pick(engine) if isinstance(engine, tuple) else engine, 'prose', kind)
    if d.engine in ('docx', 'lohtml') or isinstance(src, Ops):
        d.src = src
    d.names = kw.pop('names', [])
    return d.made(day or w.day(5, 500))


def letterish(w, d, head, to, title, paras, table=None, sign=''):
    """Sets the same kind of content in the manner of the program at hand; wording and parts come from the caller."""
    ft, col = w.pick('Lato', 'Carlito', 'DejaVu Serif', 'Liberation Serif', 'Open Sans'), w.pick('#223355', '#552222', '#225522', '#000000')
    if d.engine == 'docx':
        d.src = [('b', head), ('right', '\n'.join(to)), ('h', title)] + [('p', x) for x in paras] + ([('tab', table, w.pick('Table Grid', 'Light List',
            'Light Shading Accent 2'))] if table else []) + [('p', sign)]
    elif d.engine == 'typst':
        d.typ('''#set page(paper: "a4", margin: 25mm)
#set text(font: "{{ ft }}", size: 11pt)
*{{ h }}*
#v(6mm)
{% for x in to %}{{ x }} \\ {% endfor %}

= {{ t }}
{% for x in ps %}
{{ x }}

{% endfor %}
{% if tab %}#table(columns: {{ n }}, {% for r in tab %}{% for c in r %}[{{ c }}], {% endfor %}{% endfor %}){% endif %}

#v(8mm)
_{{ s }}_''', ft=ft, h=head, to=to, t=title, ps=paras, tab=table, n=len(table[0]) if table else 0, s=sign)
    elif d.engine == 'latex':
        d.tex(r'''\documentclass[11pt,a4paper]{article}
\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{eurosym,lmodern}\usepackage[margin=25mm]{geometry}
\pagestyle{plain}\setlength{\parindent}{0pt}\setlength{\parskip}{6pt}\begin{document}
\textbf{ {{ h }} }

{% for x in to %}\hspace*{85mm}{{ x }}

{% endfor %}
\section*{ {{ t }} }
{% for x in ps %}{{ x }}

{% endfor %}
{% if tab %}\begin{tabular}{ {{ 'l' * n }} }{% for r in tab %}{% for c in r %}{{ c }}{% if not loop.last %} & {% endif %}{% endfor %} \\ {% endfor
%}\end{tabular}

{% endif %}\hfill {{ s }}\end{document}''', h=head, to=to, t=title, ps=paras, tab=table, n=len(table[0]) if table else 0, s=sign)
    else:
        d.html('''<style>@page{size:A4;margin:20mm}body{font:10.5pt "{{ ft }}"}table{border-collapse:collapse}td{border:1px solid #999;padding:4px
    8px}h2{color:{{ col }}}</style><body><b>{{ h }}</b><p align="right">{% for x in to %}{{ x }}<br>{% endfor %}</p><h2>{{ t }}</h2>{% for x in ps %}<p>{{
    x }}</p>{% endfor %}
        {% if tab %}<table>{% for r in tab %}<tr>{% for c in r %}<td>{{ c }}</td>{% endfor %}</tr>{% endfor %}</table>{% endif %}<p>{{ s }}</p>''', ft=ft,
        col=col, h=head, to=to, t=title, ps=paras, tab=table, s=sign)
    return d


ALL = ('typst', 'latex', 'weasy', 'typst', 'latex', 'weasy', 'docx', 'lohtml', 'chromium')


@design('OTHER', 'FR')
def lease(w):
    a, b, day = w.person('FR'), w.person('FR'), w.day(30, 900)
    rent, ch = w.r.randint(380, 1400), w.r.randint(20, 150)
    d = other(w, 'FR', 'fr', ALL, 'lease', day=day)
    late = date(day + dt.timedelta(1095), 'long', 'fr')
    d.bad_date.append((late, date(day - dt.timedelta(300), 'long', 'fr'), 'the lease ends before it begins'))
    d.bad_sum.append((f'{rent + ch} euros', f'{rent + ch + 80} euros', 'rent and charges together'))
    d.swap = [(b.full, b.first + ' ' + w.person('FR').last, 'name of the tenant')]
    return letterish(w, d, 'CONTRAT DE LOCATION', ['Logement vide – loi du 6 juillet 1989'], 'Bail d’habitation',
                     [f'Entre les soussignés : {a.full}, bailleur, demeurant {a.street}, {a.zip} {a.city}, et {b.full}, locataire.',
                     f'Le bailleur loue au locataire un appartement de {w.r.randint(1, 5)} pièces situé {b.street}, {b.zip} {b.city}.',
                      f'Le bail prend effet le {date(day, "long", "fr")} et expire le {late}.',
                      f'Le loyer est de {rent} euros et les provisions pour charges de {ch} euros, soit {rent + ch} euros par mois.',
                      'Dépôt de garantie : un mois de loyer hors charges.',
                      'Article 4. Le locataire use paisiblement des locaux, répond des dégradations et s’assure contre les risques locatifs.',
                      'Article 5. Le loyer est révisé chaque année selon la variation de l’indice de référence des loyers.',
                      'Article 6. Le bailleur délivre un logement décent et en bon état d’usage ; il entretient les équipements mentionnés au contrat.',
                      'Article 7. À défaut de paiement, le bail est résilié de plein droit deux mois après un commandement demeuré infructueux.'], None,
                      f'Fait en deux exemplaires à {b.city}')


@design('OTHER', 'FR')
def quote_fr(w):
    p, f, day = w.person('FR'), w.firm('FR', 'Toiture', 'Peinture', 'Serrurerie'), w.day(5, 200)
    ls = [(n, w.r.randint(1, 30), w.amount(10, 90)) for n in w.r.sample(['Ponçage des murs', 'Peinture deux couches', 'Remplacement de serrure',
        'Échafaudage', 'Tuiles (m²)'], 3)]
    ht = sum(q * u for _, q, u in ls)
    tv = q2(ht * Decimal('.1'))
    m = lambda v: money(v, 'fr') + ' €'
    d = other(w, 'FR', 'fr', ALL, 'quote', day=day)
    d.sums.append(([q * u for _, q, u in ls] + [tv], ht + tv))
    d.bad_sum.append((m(ht + tv), m(ht + tv - 150), 'total of the quote'))
    d.swap = [(p.full, w.person('FR').full, 'name of the customer')]
    return letterish(w, d, f, [p.full, p.street, f'{p.zip} {p.city}'], f'DEVIS n° D{w.digits(4)} du {date(day, "/")}',
        ['Suite à notre visite, nous vous proposons les travaux suivants. Offre valable trois mois.'],
                     [['Désignation', 'Qté', 'PU HT', 'Total HT']] + [[n, str(q), m(u), m(q * u)] for n, q, u in ls] + [['Total HT', '', '', m(ht)],
                     ['TVA 10 %', '', '', m(tv)], ['Total TTC', '', '', m(ht + tv)]], 'Bon pour accord, date et signature :')


@design('OTHER', 'FR')
def french_papers(w):
    """School certificate, rent receipt, prescription, minutes, leave-taking letter, CV, club, train ticket."""
    p, q, day = w.person('FR'), w.person('FR'), w.day(5, 400)
    l = date(day, 'long', 'fr')
    k = w.pick('school', 'medical', 'minutes', 'notice', 'cv', 'club', 'rent', 'work', 'meter', 'diploma')
    d = other(w, 'FR', 'fr', ALL, k, day=day)
    d.swap = [(p.full, p.first + ' ' + q.last, 'name of the person')]
    y = day.year
    d.bad_date.append((l, f'31 février {y}', 'a day that does not exist'))
    c = p.city
    A = {'school': ('Collège Les Peupliers', [c, l], 'Certificat de scolarité',
        [f'Le principal certifie que l’élève {p.full} est inscrit(e) en classe de {w.pick("3e B", "5e A", "terminale")} pour l’année scolaire '
            f'{y}-{y + 1}.', 'Certificat délivré pour valoir ce que de droit.'], None, 'Le chef d’établissement'),
         'medical': (f'Docteur {q.full} – médecine générale', [f'{c}, le {l}'], 'Ordonnance', [f'Pour {p.full}',
         'Amoxicilline 1 g : un comprimé matin et soir pendant 6 jours.', 'Paracétamol 1 g si douleur, au maximum 3 par jour.', 'Repos de trois jours.'],
         None, q.full),
         'minutes': (f'Copropriété Résidence du Parc – {c}', [l], 'Procès-verbal de l’assemblée générale',
         [f'L’assemblée est ouverte à 18 h 30 sous la présidence de {p.full}.', 'Résolution 1 : approbation des comptes, adoptée à l’unanimité.',
         'Résolution 2 : ravalement, rejetée (412 voix contre 388).'], None, 'Le secrétaire de séance'),
         'notice': (p.full, [f'{c}, le {l}', q.full], 'Objet : congé du logement', ['Madame, Monsieur,',
         'Je vous informe de mon intention de quitter le logement que vous me louez. Le préavis étant d’un mois, je libérerai les lieux à son terme.',
         'Je vous prie d’agréer mes salutations distinguées.'], None, p.full),
         'cv': (p.full, [p.street, f'{p.zip} {p.city}'], 'Curriculum vitæ', [f'Mis à jour le {l}', 'Chargée de projet, dix ans d’expérience.',
         f'{y - 6}–{y} : coordinatrice, Agence Littorale. {y - 10}–{y - 6} : assistante, Maison des Métiers.',
         'Langues : anglais courant, espagnol scolaire. Loisirs : voile, chorale.'], None, ''),
         'club': ('Association Sportive du Bocage', [l], 'Relevé des cotisations', [f'Adhérent(e) : {p.full}'], [['Saison', 'Cotisation', 'Réglée'],
         [f'{y - 1}-{y}', '145,00', 'oui'], [f'{y}-{y + 1}', '152,00', 'oui']], 'La trésorière'),
         'rent': (q.full + ', bailleur', [l], 'Quittance de loyer',
         [f'Reçu de {p.full} la somme de {(r := w.r.randint(400, 1100)) + 45} euros pour le logement {p.street}, {p.zip} {p.city}.',
         f'Loyer : {r} euros. Charges : 45 euros.', 'Cette quittance annule tous les reçus antérieurs.'], None, q.full),
         'work': (w.firm('FR', 'Textile'), [f'{c}, le {l}'], 'Attestation d’emploi',
         [f'Nous attestons que {p.full} est employé(e) dans notre société en contrat à durée indéterminée en qualité de vendeur(se).',
         'Il (elle) n’est ni démissionnaire ni en période d’essai.'], None, 'La direction des ressources humaines'),
         'meter': ('Relevé de compteur', [l], 'Fiche de relève', [f'Occupant : {p.full}', f'Relevé effectué le {l} en présence de l’occupant.'],
         [['Compteur', 'Index'], ['Eau froide', w.digits(4)], ['Eau chaude', w.digits(3)], ['Chauffage', w.digits(5)]], 'Le releveur'),
         'diploma': ('RÉPUBLIQUE FRANÇAISE – Académie', [f'Fait le {l}'], 'Diplôme du baccalauréat général',
         [f'Vu le procès-verbal du jury, le diplôme est conféré à {p.full}, né(e) le {date(p.birth, "long", "fr")} à {p.birthplace}, avec la mention '
             f'Assez bien.'], None, 'Le recteur')}[k]
    if k == 'rent':
        d.bad_sum.append((f'Loyer : {r} euros', f'Loyer : {r + 60} euros', 'rent of the receipt'))
    return letterish(w, d, *A)


@design('OTHER', 'FR')
def ticket(w):
    p, day = w.person('FR'), w.day(1, 200)
    a, b = w.r.sample(['Lyon Part-Dieu', 'Rennes', 'Lille Flandres', 'Marseille St-Charles', 'Nantes'], 2)
    o = Ops(595, 300)
    import qrcode
    o.r(20, 20, 555, 250, line='#7b1fa2').t(36, 48, 'e-billet  TER / TGV', 14, 'LB', '#7b1fa2').t(36, 80, p.full, 12, 'LB').t(36, 110, f'{a}  →  {b}', 13,
        'L').t(36, 134, f'{date(day, "/")}  départ {w.r.randint(5, 12):02d}h{w.r.randint(10, 59)}  arrivée {w.r.randint(13, 21)}h{w.r.randint(10, 59)}',
        11, 'L')
    o.t(36, 160, f'Voiture {w.r.randint(1, 18)}  place {w.r.randint(11, 98)}  2de classe  {w.r.randint(19, 98)},00 €', 11, 'L').t(36, 190,
        'Dossier ' + w.letters(6), 12, 'LB').img(430, 60, 120, 120, qrcode.make(w.letters(30)).convert('RGB')).t(36, 240,
        'Billet nominatif et incessible. Présentez une pièce d’identité.', 8, 'L')
    d = other(w, 'FR', 'fr', ('reportlab', 'fpdf', 'mupdf'), 'ticket', o, day)
    d.src = o
    d.swap = [(date(day, '/'), date(day + dt.timedelta(w.r.randint(3, 40)), '/'), 'day of the journey'), (p.full, w.person('FR').full, 'traveller')]
    return d


@design('OTHER', 'BC')
def bc_papers(w):
    cc = w.pick('BE', 'CH', 'QC')
    p, q, day = w.person(cc), w.person(cc), w.day(5, 400)
    l, k = date(day, 'long', 'fr'), w.pick('household', 'chase', 'vaccine', 'handover')
    d = other(w, 'CA' if cc == 'QC' else cc, 'fr', ALL, k, day=day)
    d.swap = [(p.full, p.first + ' ' + q.last, 'name of the person')]
    d.bad_date.append((l, f'30 février {day.year}', 'a day that does not exist'))
    A = {'household': ('Office du tourisme', [l], 'Carte de membre annuelle', [f'Membre : {p.full}', 'Donne droit à l’entrée gratuite dans douze musées.'],
        None, 'Le comité'),
         'chase': (f'Gérance {q.last}', [p.full, p.street, f'{p.zip} {p.city}'], 'Rappel : décompte de chauffage', [f'Le {l}',
         'Nous n’avons pas encore reçu la fiche de relevé de vos radiateurs.', 'Merci de la renvoyer sous dix jours.'], None, q.full),
         'vaccine': ('Carnet de vaccination', [l], f'Attestation pour {p.full}', ['Vaccins administrés :'], [['Vaccin', 'Lot'], ['Tétanos',
         w.letters(2) + w.digits(4)], ['Hépatite B', w.letters(2) + w.digits(4)]], 'Dr ' + q.full),
         'handover': ('État des lieux d’entrée', [f'{p.city}, le {l}'], 'Procès-verbal', [f'Locataire : {p.full}. Bailleur : {q.full}.',
         'Cuisine : bon état, une rayure sur le plan de travail. Séjour : parquet usé. Clés remises : 3.'], None, 'Lu et approuvé')}[k]
    return letterish(w, d, *A)


@design('OTHER', 'EN')
def english_papers(w):
    """Tenancy, reference, P60, diploma, doctor's letter, school letter, club, CV, minutes, bank's complaint letter, delivery note, boarding card."""
    cc = w.pick('GB', 'GB', 'IE', 'US', 'CA')
    p, q, day = w.person(cc), w.person(cc), w.day(5, 400)
    l = date(day, 'long') if cc in ('GB', 'IE') else date(day, 'uslong')
    k = w.pick('tenancy', 'reference', 'p60', 'degree', 'doctor', 'school', 'club', 'cv', 'minutes', 'delivery', 'rights', 'parking', 'will')
    if k == 'p60' and cc != 'GB':
        k = 'reference'
    d = other(w, cc, 'en', ALL, k, day=day)
    d.swap = [(p.full, p.first + ' ' + q.last, 'name of the person')]
    y, r = day.year, w.r.randint(700, 2400)
    d.bad_date.append((l, l.replace(str(day.day) + ' ', '31 ', 1).replace(l.split()[1], 'February') if cc in ('GB', 'IE') else f'February 30, {y}',
        'a day that does not exist'))
    cur = {'GB': '£', 'IE': '€'}.get(cc, '$')
    A = {'tenancy': ('ASSURED SHORTHOLD TENANCY AGREEMENT' if cc == 'GB' else 'RESIDENTIAL TENANCY AGREEMENT', [l], 'Parties and terms',
        [f'Landlord: {q.full}. Tenant: {p.full}.', f'Property: {p.street}, {p.city} {p.zip}.',
        f'Rent: {cur}{r} per calendar month, payable in advance. Deposit: {cur}{r + 150}, held in a protected scheme.',
        'The tenant shall keep the interior in good repair.',
                    'The tenant must not assign or sublet without consent, keep pets, or cause nuisance to neighbours.',
                    'The landlord shall keep the structure and exterior in repair '
                    'and give at least twenty-four hours notice before any visit.', 'Either party may end the agreement by two months notice in writing.',
                    'An inventory signed by both parties is attached as schedule one.'], None, 'Signed as a deed'),
         'reference': (w.firm(cc, 'Publishing'), [l], 'To whom it may concern',
         [f'{p.full} has been employed by us as a full-time permanent member of staff since {y - 4}.',
         'We have always found this employee reliable and courteous.', 'Please contact our People team with any questions.'], None, q.full + ', HR Manager'),
         'p60': (w.firm(cc, 'Foods'), [p.full, w.nino()], f'P60 End of Year Certificate – tax year to 5 April {y}',
         [f'Certificate issued on {l} by the employer named above. To the employee: please keep this certificate in a safe place.'],
         [['In this employment', 'Pay', 'Tax deducted'], ['Total for year', money(w.amount(18000, 42000), 'en'), money(w.amount(1200, 5800), 'en')]],
         'Final tax code 1257L'),
         'degree': ('University of Wessex Downs', [l], 'Bachelor of Science with Honours',
         [f'This is to certify that {p.full} having completed the approved course of study was admitted to the degree of Bachelor of Science in '
             f'Geography, Second Class, Upper Division.'], None, 'Vice-Chancellor'),
         'doctor': ('Elmfield Medical Practice', [l], f'Re: {p.full}', ['Thank you for referring this patient, whom I saw in clinic today.',
         'Blood pressure 128/82. Examination of the knee showed mild effusion. I have arranged an MRI scan and will write again.',
         'Medication unchanged.', 'The patient was advised to rest, to use ice twice a day and to avoid running for six weeks. '
                    'A physiotherapist will see the patient locally.'], None, f'Dr {q.full}'),
         'school': ('St Brannoc’s Primary School', [l], 'Year 6 residential trip', [f'Dear parent or guardian of {p.full},',
         'The trip takes place in May. A packing list is attached. Please return the slip by Friday.', 'Pupils need waterproof shoes and a torch.'], None,
         q.full + ', Headteacher'),
         'club': ('Riverside Rowing Club', [l], 'Statement of membership', [f'Member: {p.full}'], [['Item', 'Amount'], ['Annual subscription', '210.00'],
         ['Boat rack', '85.00'], ['Total', '295.00']], 'Hon. Treasurer'),
         'cv': (p.full, [p.street, f'{p.city} {p.zip}'], 'Curriculum Vitae' if cc != 'US' else 'Résumé', [f'Last updated {l}',
         f'{y - 5}–present: Warehouse supervisor. {y - 9}–{y - 5}: Forklift operator.',
         'Skills: stock control, first aid, spreadsheets. References on request.'], None, ''),
         'minutes': ('Parish Council' if cc == 'GB' else 'Residents’ Association', [l], 'Minutes of the meeting',
         [f'Present: {p.full} (chair), {q.full} and four others. Apologies: none.',
         '1. The minutes of the last meeting were approved. 2. The playground fence will be repaired. 3. Any other business: litter.',
                    'The treasurer presented the accounts for the quarter. The balance at the bank was noted and three cheques were signed.',
                    'A resident asked about the speed of traffic past the school. The clerk will write to the highways team.',
                    'Next meeting: first Tuesday of the month.'], None,
         'Meeting closed at 8.45 pm'),
         'delivery': (w.firm(cc, 'Timber'), [l], f'Delivery note {w.digits(5)}', [f'Deliver to: {p.full}, {p.street}, {p.city} {p.zip}'], [['Item',
         'Ordered', 'Delivered'], ['Decking board 3.6 m', '40', '40'], ['Joist hanger', '60', '58'], ['Screws, box', '4', '4']],
         'Received in good condition'),
         'rights': (w.firm(cc, 'Lettings'), [l], 'Notice of rent review', [f'Dear {p.full}',
         f'From the first of next month the rent will be {cur}{r} per month. You may ask a tribunal to review it.'], None, q.full),
         'parking': ('Parking Services', [l], f'Penalty charge notice PCN {w.letters(2)}{w.digits(8)}', [f'Issued to {p.full}.',
         f'The vehicle was seen parked without a valid permit. Penalty {cur}70, reduced to {cur}35 if paid within 14 days.'], None, 'Appeals: PO Box 990'),
         'will': ('LAST WILL AND TESTAMENT', [l], f'of {p.full}', [f'I revoke all earlier wills and appoint {q.full} as executor.',
         'I give my piano to the church and the residue to my children in equal shares.'], None, 'Signed in the presence of two witnesses')}[k]
    if k == 'club':
        d.bad_sum.append(('295.00', '345.00', 'total of the statement'))
    return letterish(w, d, *A)


@design('OTHER', 'EN')
def quote_en(w):
    cc = w.pick('GB', 'IE', 'US')
    p, f, day = w.person(cc), w.firm(cc, 'Windows', 'Flooring', 'Removals'), w.day(5, 200)
    cur = {'GB': '£', 'IE': '€', 'US': '$'}[cc]
    ls = [(n, w.amount(60, 900)) for n in w.r.sample(['Remove existing units', 'Supply and fit', 'Make good plaster', 'Waste removal',
        'Protection of floors'], 3)]
    t, m = sum(x for _, x in ls), lambda v: cur + money(v, 'en')
    o, F = Ops(), w.pick('H', 'K', 'P', 'T')
    o.img(40, 30, 40, 40, logo(w.r.randint(0, 9999))).t(90, 56, f, 16, F + 'B').t(555, 56, w.pick('QUOTATION', 'ESTIMATE'), 16, F, '#777777', 'r')
    o.ts(40, 110, [p.full, p.street, f'{p.city} {p.zip}'], 10, F).t(400, 110, f'Ref Q-{w.digits(4)}', 10, F).t(400, 124, date(day,
        'long' if cc != 'US' else 'uslong'), 10, F)
    y = o.table(40, 190, (400, 115), [['Work', 'Price']] + [[n, m(x)] for n, x in ls] + [['Estimated total', m(t)]], 10, 20, F, 'lr', '#cccccc', '#eeeeee',
        True)
    o.t(40, y + 20, 'This is not an invoice. Prices are valid for 30 days from the date above.', 9, F).img(40, y + 40, 110, 40, signature(w.r.randint(0, 99)))
    d = other(w, cc, 'en', ('reportlab', 'fpdf', 'mupdf'), 'quote', o, day)
    d.src = o
    d.sums.append(([x for _, x in ls], t))
    d.bad_sum.append((m(t), m(t - 40), 'total of the quote'))
    d.swap = [(p.full, w.person(cc).full, 'name of the customer')]
    return d
