"""Papers of none of the wanted types, which people send all the same. They have no fields."""
from engines import esc, logo, scrawl, stamp
from fr_docs import DAY, TEXHEAD, cust, grid, lines_of, page, para, qfr, res, tex, word_base
from world import fdate, money, q2


def letter_word(w):
    """A private letter: a claim, a lease ended, a contract given up."""
    p, day = w.person(), w.day(300, 2)
    d = word_base(w)
    for x in (f'{p.first} {p.last}', p.street, f'{p.pc} {p.city}'):
        para(d, x)
    para(d, f'{w.pick("Service Sinistres", "Service Résiliation", "Monsieur le Maire", "Agence du Centre")}', ind=9.5)
    para(d, f'{p.city}, le {fdate(day, "long")}', al='r', after=16)
    subj, txt = w.pick(
        ('Déclaration de dégât des eaux',
            f'Par la présente je vous informe que le {fdate(w.early(day - 3 * DAY), "long")}, une fuite chez mon voisin du dessus a endommagé le plafond de '
                f'ma salle de bains. Vous trouverez ci-joint les photos et le constat amiable.'),
        ('Résiliation de mon contrat – lettre recommandée avec AR',
            'Conformément aux dispositions de la loi Hamon, je souhaite résilier mon contrat. Merci de me faire parvenir un avenant de résiliation ainsi '
                'que le remboursement du trop-perçu.'),
        ('Préavis de départ',
            f'Je vous informe de ma décision de quitter le logement que j’occupe. Le préavis étant de trois mois, il prendra fin le '
                f'{fdate(w.late(day + 91 * DAY), "/")}. Je reste à votre disposition pour l’état des lieux.'),
        ('Attestation d’hébergement',
            f'Je soussigné{"e" if p.sex == "F" else ""} {p.first} {p.last} certifie sur l’honneur héberger à mon domicile {w.person().first} '
                f'{w.person().last} depuis le {fdate(w.early(day - 200 * DAY), "/")}.'))
    para(d, f'Objet : {subj}', True, after=10)
    para(d, 'Madame, Monsieur,', after=6)
    para(d, txt, al='j', after=8)
    para(d, 'Veuillez agréer, Madame, Monsieur, l’expression de mes salutations distinguées.', after=24)
    para(d, f'{p.first} {p.last}', al='r')
    return res('office', d, day, 'prose')


def caf(w):
    p, day, x = w.person(), w.day(300, 3), w.eur(80, 460)
    body = f'''<table style="width:100%"><tr><td>{logo("caf" + p.city, "Allocations familiales")}
<td style="text-align:right">N° allocataire : {w.num(7)} {w.let(1)}</table>
<p style="margin:14mm 0 14mm 95mm">{p.title.upper()} {esc(p.last.upper())} {esc(p.first.upper())}<br>{esc(p.street.upper())}<br>{p.pc} {esc(p.city.upper())}</p>
<h3>Attestation de paiement et de quotient familial</h3>
<p>Nous certifions que le dossier de l’allocataire ci-dessus donne lieu au paiement, pour le mois de {fdate(w.early(day), "long").split(" ", 1)[1]},
des prestations suivantes :</p>
<table class=t><tr><td>Allocation de logement<td>{money(x)}<tr><td>Prime d’activité<td>{money(x / 2)}<tr><td><b>Total des prestations</b>
<td>{money(w.tot(x + q2(x / 2)))}<tr><td>Quotient familial<td>{w.r.randint(300, 1400)}</table>
<p>Le directeur de la Caf — document délivré le {fdate(day, "/")}</p>'''
    return res('weasy', page("body{font:10pt 'Open Sans'}.t{width:100%}.t td{padding:2mm;border:.2mm solid #88a}.t td+td{text-align:right}", body), day,
        'table')


def vigilance(w):
    f, day = w.firm(), w.day(300, 3)
    s = f'''#set page(paper: "a4", margin: 2.4cm)\n#set text(font: "Roboto", size: 10pt, lang: "fr")\n*URSSAF
{w.place("FR")[1]}* #h(1fr) Le {fdate(day, "/")}\n#v(1cm)\n= Attestation de vigilance\nCode de sécurité : {w.let(15)}\n
Je soussigné, directeur de l'Urssaf, certifie qu'au titre de l'établissement #strong[{f.name.replace("&", "et")}],
SIRET {f.siret}, l'entreprise est à jour de ses obligations en matière de cotisations de sécurité sociale
et d'allocations familiales à la date du {fdate(w.early(day - 20 * DAY), "/")}.\n
L'effectif déclaré est de {w.r.randint(1, 40)} salariés pour une masse salariale de {w.r.randint(2000, 90000)}
euros. La présente attestation est valable six mois (articles L243-15 et D243-15 du code de la sécurité sociale).'''
    return res('typst', s, day, 'prose')


def quote(w):
    f, (p, name, to), day = w.firm(stem='{n} Rénovation'), cust(w), w.day(300, 2)
    L = lines_of(w, w.pick('peint', 'elec', 'plomb'))
    ht = sum(x[3] for x in L)
    d = word_base(w)
    para(d, f.name, True, 17)
    para(d, f'{f.street}, {f.pc} {f.city} – Siret {f.siret}', size=9, after=12)
    for x in to:
        para(d, x, ind=9.5)
    para(d, f'DEVIS N° D{w.num(4)} du {fdate(w.early(day), "/")} – valable jusqu’au {fdate(w.late(day + 60 * DAY), "/")}', True, 12, after=8)
    grid(d, [('Désignation', 'Qté', 'P.U.', 'Total HT')] + [(a, qfr(q), money(u), money(t)) for a, q, u, t in L], [9, 2, 3, 3], right=(1, 2, 3))
    para(d, f'Total HT {money(ht)} – TVA 10 % {money(ht / 10)} – Total TTC {money(w.tot(ht + q2(ht / 10)))}', True, al='r', after=12)
    para(d, 'Bon pour accord (date et signature du client, précédées de la mention « lu et approuvé ») :')
    return res('office', d, day, 'table')


def lease(w):
    a, b, day = w.person(), w.person(), w.day(900, 30)
    rent, ch = w.r.randint(420, 1200), w.r.randint(20, 120)
    s = TEXHEAD % ('11pt', w.pick('lmodern', 'charter'), 'plain')
    s += f'\\begin{{center}}\\Large\\bfseries CONTRAT DE LOCATION\\\\ \\normalsize (loi n\\textsuperscript{{o}} 89-462 du 6 juillet ' \
        f'1989)\\end{{center}}\n\n\\textbf{{Entre les soussignés}}\n\n{tex(a.title)} {tex(a.first)} {tex(a.last)}, ' \
            f'demeurant {tex(a.street)}, {a.pc} {tex(a.city)}, ci-après le bailleur,\n\n'
    s += f'et {tex(b.title)} {tex(b.first)} {tex(b.last)}, né{"e" if b.sex == "F" else ""} le {fdate(b.birth, "/")}, ci-après le locataire,\n\nil a été ' \
        f'convenu ce qui suit.\n\n'
    for i, t in enumerate((f'Objet. Le bailleur loue un logement de {w.r.randint(24, 95)} m² situé {b.street}, {b.pc} {b.city}.',
        f'Durée. Le bail prend effet le {fdate(w.early(day), "/")} pour trois ans.',
                           f'Loyer. Le loyer mensuel est de {rent} euros, charges {ch} euros, soit {w.tot(rent + ch)} euros, payables le 5 de chaque mois.',
                               f'Dépôt de garantie. Il est fixé à {rent} euros.',
                                   'Clause résolutoire. Le bail sera résilié de plein droit à défaut de paiement ou d’assurance.')):
        s += f'\\textbf{{Article {i + 1}.}} {tex(t)}\n\n'
    s += f'Fait à {tex(b.city)} en deux exemplaires, le {fdate(day, "long")}.\n\n\\vspace{{10mm}}Le bailleur\\hfill Le ' \
        f'locataire\\end{{document}}'.replace('²', '\\textsuperscript{2}')
    return res('latex', s.replace('²', '\\textsuperscript{2}'), day, 'prose')


def receipt_rent(w):
    a, b, day = w.person(), w.person(), w.day(500, 5)
    r, c = w.eur(380, 950), w.eur(15, 90)
    body = f'''<h2>QUITTANCE DE LOYER</h2><p>Quittance pour la période du 01/{day:%m/%Y} au {fdate(w.early(day.replace(day=28)), "/")}</p>
<p>Bailleur : {esc(a.first)} {esc(a.last)}, {esc(a.street)}, {a.pc} {esc(a.city)}<br>Locataire : {esc(b.first)} {esc(b.last)}
<br>Logement : {esc(b.street)}, {b.pc} {esc(b.city)}</p>
<p>Reçu de {esc(b.title)} {esc(b.last)} la somme de {money(w.tot(r + c))} au titre du loyer et des charges,
dont loyer {money(r)} et provision pour charges {money(c)}, et lui en donne quittance sous réserve de tous droits.</p>
<p>Fait le {fdate(day, "/")}</p>{scrawl(a.last)}'''
    return res(w.pick('chrome', 'weasy'), page(f"body{{font:11pt/1.5 {w.pick('Carlito', 'Lato')}}}h2{{text-align:center;border:.3mm solid;padding:3mm}}",
        body), day, 'prose')


def diploma(w):
    en = w.r.random() < .5
    p, day = w.person('GB' if en else 'FR'), w.day(6000, 200)
    t = (f'University of {p.city}', 'This is to certify that', 'having satisfied the examiners was admitted to the degree of', w.pick('Bachelor of Science',
        'Master of Arts'), 'with Second Class Honours') if en else (
        f'Université de {p.city}', 'Le diplôme de', 'est délivré à', w.pick('LICENCE Droit, économie, gestion', 'MASTER Sciences de l’ingénieur'),
            'au titre de l’année universitaire, avec mention Bien')
    body = f'''<div class=d><h1>{esc(t[0])}</h1><p>{t[1]}</p><h2>{esc(p.first + " " + p.last if en else t[3])}</h2><p>{t[2]}</p>
<h2>{esc(t[3] if en else p.first + " " + p.last)}</h2><p>{t[4]}</p>
<p>{fdate(day, "long", "en" if en else "fr")}</p>{scrawl(p.city)}
{stamp([t[0][:18], "Registrar" if en else "Le Président"], "#733", 4, True, 110, 110)}</div>'''
    return res('chrome',
        page("@page{size:A4 landscape}body{font:15pt 'URW Bookman'}.d{border:2mm double #963;padding:10mm;text-align:center}h1{font-size:26pt;color:#532}",
            body).replace('size:A4;', ''), day, 'prose', lang='en' if en else 'fr', cc='GB' if en else 'FR')


def rx(w):
    p, day = w.person(), w.day(200, 2)
    L = [f'!Docteur {w.person().last.upper()}', 'Médecine générale'.upper().replace('É', 'E'), f'RPPS {w.num(11)}   AM {w.num(9)}', '',
        f'{"LE " + fdate(w.early(day), "/"):>70}', '', f'{p.title} {p.first} {p.last}', f'Ne(e) le {fdate(p.birth, "/")}   {w.r.randint(48, 98)} kg', '',
            '!ORDONNANCE', '',
         w.pick('AMOXICILLINE 1 g cp : 1 matin et soir pendant 7 jours', 'PARACETAMOL 1 g : 1 cp si douleur, max 3/jour'),
             w.pick('IBUPROFENE 400 mg : 3 fois par jour au repas', 'OMEPRAZOLE 20 mg : 1 gelule le matin'),
                 w.pick('Seances de kinesitherapie : 10, rachis lombaire', 'Bilan sanguin : NFS, CRP, ferritine'), '', 'QSP 1 mois - a renouveler 1 fois']
    return res('listing', [(10, 780, 17)] + L, day, 'nolabel')


def cv(w):
    cc = w.pick('FR', 'GB', 'US')
    p, day = w.person(cc), w.day(400, 2)
    en = cc != 'FR'
    T = ('Experience', 'Education', 'Skills') if en else ('Expérience', 'Formation', 'Compétences')
    jobs = ['Warehouse Supervisor', 'Sales Assistant', 'Junior Analyst', 'Barista'] if en else ['Gestionnaire de sinistres', 'Vendeuse en boulangerie',
        'Assistant comptable', 'Agent d’accueil']
    body = f'''<div class=s><h1>{esc(p.first)}<br>{esc(p.last)}</h1><p>{esc(p.street)}<br>{p.pc} {esc(p.city)}</p><h3>{T[2]}</h3>
<p>Excel · SAP · {w.pick("Python", "Photoshop", "B2 English")}</p></div><div class=m><h3>{T[0]}</h3>''' + ''.join(
        f'<p><b>{j}</b> — {w.firm(cc).name}<br><small>{2016 + 3 * i} – {2018 + 3 * i}</small></p>' for i, j in enumerate(w.r.sample(jobs,
            3))) + f'<h3>{T[1]}</h3><p>{"BA, " if en else "BTS, "}{w.place(cc)[1]}, {w.r.randint(2003, 2015)}</p></div>'
    return res(w.pick('weasy', 'chrome'),
        page(f"body{{font:10pt Lato}}.s{{float:left;width:55mm;background:#{w.pick('2d3e50', '444', '6b4f3a')};color:#fff;padding:6mm;"
            f"height:250mm}}.m{{margin-left:75mm}}", body, '10mm'), day, 'nolabel', lang='en' if en else 'fr', cc=cc)


def ticket(w):
    p, day, x = w.person(), w.day(300, 2), w.eur(12, 120)
    a, b = w.place('FR')[1], w.place('FR')[1]
    bar = ''.join(f'<rect x="{i * 3}" y="{j * 3}" width="3" height="3"/>' for i in range(34) for j in range(34) if w.r.random() < .5)
    body = f'''<div class=t><h2>e-billet {w.pick("Intercités", "Grande vitesse", "Autocar")}</h2><p>Référence de dossier 
<b>{w.let(6)}</b> · Voyageur {esc(p.last.upper())} {esc(p.first)}</p><table><tr><td>{fdate(w.late(day + 9 * DAY), "/")}
<td>{w.r.randint(6, 12)}h{w.r.randint(10, 59)}<td>{esc(a)}<tr><td><td>{w.r.randint(13, 20)}h{w.r.randint(10, 59)}<td>{esc(b)}</table>
<p>2e classe – voiture {w.r.randint(1, 18)} place {w.r.randint(11, 98)} – {money(x)}</p><svg width=105 height=105>{bar}</svg>
<p>Émis le {fdate(day, "/")}. Échangeable sous conditions.</p></div>'''
    return res('chrome', page("body{font:11pt Roboto}.t{border:.4mm solid #333;border-radius:4mm;padding:8mm}td{padding:2mm 8mm 2mm 0}", body), day, 'nolabel')


def club(w):
    cc = w.pick('GB', 'IE', 'US', 'CA')
    p, day = w.person(cc), w.day(300, 2)
    st = {'GB': 'gb', 'IE': 'eur'}.get(cc, 'us')
    d = word_base(w)
    rows = [('Date', 'Item', 'Amount')] + [(fdate(day - 30 * i * DAY, 'iso'), w.pick('Monthly subscription', 'Court booking', 'Bar tab', 'Locker rent'),
        w.eur(3, 60)) for i in range(5)]
    tot = sum(r[2] for r in rows[1:])
    rows = [rows[0]] + [(a, b, money(c, st)) for a, b, c in rows[1:]]
    para(d, f'{p.city} {w.pick("Rowing Club", "Tennis Club", "Allotment Society")}', True, 16)
    para(d, f'Member statement – {p.first} {p.last} – member {w.num(4)}', after=8)
    grid(d, rows + [('', 'Total for the season', money(w.tot(tot), st))], [4, 8, 4], right=(2,))
    para(d, f'Printed {fdate(day, "long", "en")}')
    return res('office', d, day, 'table', lang='en', cc=cc)


def school(w):
    cc = w.pick('FR', 'BE', 'GB', 'US')
    p, day, k = w.person(cc), w.day(400, 3), w.person(cc).first
    if cc in ('FR', 'BE'):
        s = f'''#set page(paper: "a4", margin: 2.5cm)\n#set text(font: "Liberation Serif", size: 12pt,
lang: "fr")\nÉcole {w.pick("Jules Ferry", "Saint-Joseph", "communale")} \\ {p.pc} {p.city}\n#v(1cm)\n#align(center)[#text(16pt)[*CERTIFICAT
DE SCOLARITÉ*]]\n#v(.6cm)\nJe soussigné, directeur de l'école, certifie que l'élève *{k} {p.last}* est
inscrit dans mon établissement en classe de {w.pick("CE2", "CM1", "6e")} depuis le {fdate(w.early(day), "/")}.\n\nFait
pour servir et valoir ce que de droit, le {fdate(day, "long")}.'''
        return res('typst', s, day, 'prose', cc=cc)
    d = word_base(w)
    para(d, f'{p.city} {w.pick("Primary School", "Elementary School")}', True, 15, 'c', after=14)
    para(d, fdate(w.early(day), 'long', 'en'))
    para(d, f'Dear parents of {k} {p.last},', after=8)
    para(d,
        f'The Year {w.pick(3, 4, 5)} trip to the museum will take place on {fdate(w.late(day + 21 * DAY), "long", "en")}. Please return the slip below with '
            f'a contribution of {money(w.eur(4, 20), "gb" if cc == "GB" else "us")}. Children need a packed lunch and a raincoat.', after=20)
    para(d, '- - - - - - - - - - - - - - - - - - - - - - - - -  I give permission for my child to attend.')
    return res('office', d, day, 'prose', lang='en', cc=cc)


def expert(w):
    """A loss adjuster's report, of the kind a claims desk sees every day."""
    p, day = w.person(), w.day(400, 3)
    it = [('Embellissements plafond salon', w.eur(200, 1400)), ('Parquet stratifié', w.eur(150, 1900)), ('Mobilier', w.eur(50, 700))]
    tot = sum(x[1] for x in it)
    body = f'''<table style="width:100%"><tr><td><b>CABINET D’EXPERTISE {esc(w.person().last.upper())}</b>
<td style="text-align:right">Rapport du {fdate(day, "/")}</table><h3>RAPPORT D’EXPERTISE – DÉGÂT DES EAUX</h3>
<p>Assuré : {esc(p.last)} {esc(p.first)} — Lieu du risque : {esc(p.street)}, {p.pc} {esc(p.city)}
<br>Date du sinistre : {fdate(w.early(day - 40 * DAY), "/")} — Réf. sinistre {w.num(10)}</p>
<p><b>Circonstances.</b> Rupture d’un flexible d’alimentation sous évier dans l’appartement du 3e étage. Cause supprimée. Convention IRSI tranche 1.</p>
<table class=g><tr><th>Dommages<th>Valeur à neuf<th>Vétusté<th>Indemnité{"".join(f"<tr><td>{a}<td>{money(b)}<td>0 %<td>{money(b)}" for a, b in it)}<tr>
<td>Total<td><td><td>{money(w.tot(tot))}</table><p>L’expert</p>{scrawl("exp" + p.last)}'''
    return res('weasy',
        page(f"body{{font:10pt {w.pick('Carlito', chr(39) + 'Liberation Serif' + chr(39))}}}.g{{width:100%}}.g td,.g th{{border:.2mm solid;padding:1.5mm}}",
            body), day, 'prose')


DESIGNS = [('OTHER', 'FR', f) for f in (letter_word, caf, vigilance, quote, lease, receipt_rent, diploma, rx, cv, ticket, club, school, expert)]
