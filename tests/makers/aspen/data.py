"""Invented people, firms, numbers with right check digits, date and amount notations."""
import datetime as dt, unicodedata, re, string
REF = dt.date(2026, 11, 22)
def strip(s): return ''.join(c for c in unicodedata.normalize('NFD', s) if not unicodedata.combining(c))
FIRST = {
 'fr': [('Élodie','F'),('Mathieu','M'),('Nadège','F'),('Jérôme','M'),('Aïcha','F'),('Karim','M'),('Solène','F'),('Thibault','M'),('Océane','F'),('Rémi','M'),('Fatoumata','F'),('Yannick','M'),('Clémence','F'),('Bastien','M'),('Inès','F'),('Gaëtan','M'),('Marie-Laure','F'),('Jean-Baptiste','M'),('Sylviane','F'),('Loïc','M'),('Hélène','F'),('François','M'),('Amandine','F'),('Cédric','M'),('Noémie','F'),('Quentin','M'),('Delphine','F'),('Anne-Sophie','F'),('Pierre-Yves','M'),('Mehdi','M')],
 'en': [('Oliver','M'),('Harriet','F'),('Callum','M'),('Imogen','F'),('Rajesh','M'),('Siobhan','F'),('Declan','M'),('Priya','F'),('Marcus','M'),('Bethany','F'),('Tyrone','M'),('Gwendolyn','F'),('Stuart','M'),('Niamh','F'),('Zachary','M'),('Alison','F'),('Hamish','M'),('Latoya','F'),('Graham','M'),('Philippa','F'),('Dominic','M'),('Rosalind','F'),('Wesley','M'),('Sheila','F'),('Mohammed','M'),('Kerry-Ann','F')],
 'de': [('Jürgen','M'),('Anneliese','F'),('Torsten','M'),('Käthe','F'),('Sabine','F'),('Uwe','M')], 'es': [('Íñigo','M'),('Begoña','F'),('Rocío','F'),('Álvaro','M'),('Mercedes','F')],
 'it': [('Giancarlo','M'),('Ornella','F'),('Niccolò','M'),('Patrizia','F'),('Renato','M')], 'nl': [('Joost','M'),('Marijke','F'),('Sanne','F'),('Wouter','M'),('Femke','F')], 'pt': [('João','M'),('Conceição','F'),('Rui','M'),('Inês','F'),('Nuno','M')]}
LAST = {
 'FR': ['Lefebvre','Garnier','Benhaddou','Rousselot','Chevallier','Da Costa','Péronnet','Marchetti','Tissot','Diallo','Vasseur','Le Goff','Boulanger','Hernandez','Méric','Bouchaïb','Fontanel','Guérin','Delattre','Saint-Martin','Ollivier','Traoré','Poncet','Küntz'],
 'BE': ['Vandenbossche','Lambrechts','Dumoulin','Janssens','Wauters','Piérard','Collignon','Demeulenaere','El Amrani','Henrard','Goffinet','Van Damme'],
 'CH': ['Bonvin','Jaquet','Rochat','Aebischer','Favre','Zbinden','Cuendet','Pittet','Müllhaupt','Ferreira'],
 'QC': ['Tremblay','Gagnon','Bélanger','Ouellet','Lévesque','Thibodeau','Desrosiers','Charbonneau','Nguyen','Côté'],
 'GB': ['Whitfield','Okafor','Pemberton','Hargreaves','Mahmood','Sutcliffe','MacAllister','Patel','Braithwaite','Llewellyn','Osborne','Kowalczyk','Fairclough','Thackeray','Ashdown'],
 'IE': ['O’Donoghue','Brennan','Kavanagh','Fitzsimons','Mulcahy','Ó Briain','Hennessy','Lacey'],
 'US': ['Hutchinson','Delgado','Washburn','Kowalski','Pruitt','Ramirez','Langford','Boykin','Schroeder','Trudeau','Nakamura'],
 'CA': ['MacLeod','Sandhu','Fraser','Petrenko','Lalonde','Whitehorse','Chow','Gunn','Haldane'],
 'DE': ['Baumgärtner','Schreiber','Köhnke','Wiedemann','Großmann'], 'ES': ['Ibáñez Molina','Quintana Ruiz','Echeverría Sanz','Peña Lozano'],
 'IT': ['Bianchini','Salvatori','De Luca','Fumagalli','Moretti'], 'NL': ['van der Meulen','Hoekstra','Dijkgraaf','Bakker','de Wit'], 'PT': ['Figueiredo','Vasconcelos','Moreira','Teixeira','Carvalhal']}
LAST['FOREIGN'] = ['Ndiaye','Rahmani','Popescu','Zhang','Kouassi','Adeyemi','Hosseini','Markovic','Pham','Bouazizi','Fernando','Yildirim','Haddad','Okonkwo','Castillo']
FIRST_FOREIGN = [('Ousmane','M'),('Leïla','F'),('Andrei','M'),('Mei Lin','F'),('Kouamé','M'),('Folake','F'),('Reza','M'),('Jelena','F'),('Minh Anh','F'),('Nizar','M'),('Dilani','F'),('Emre','M'),('Salma','F'),('Chidi','M')]
CITY = {
 'FR': [('69003','Lyon'),('44000','Nantes'),('31500','Toulouse'),('35200','Rennes'),('59800','Lille'),('67000','Strasbourg'),('38100','Grenoble'),('63000','Clermont-Ferrand'),('13008','Marseille'),('42100','Saint-Étienne'),('76600','Le Havre'),('33700','Mérignac'),('72000','Le Mans'),('75011','Paris'),('29200','Brest'),('94120','Fontenay-sous-Bois')],
 'BE': [('4000','Liège'),('5000','Namur'),('1050','Ixelles'),('7000','Mons'),('1348','Louvain-la-Neuve'),('6000','Charleroi'),('1180','Uccle'),('1400','Nivelles')],
 'CH': [('1207','Genève'),('1004','Lausanne'),('2000','Neuchâtel'),('1700','Fribourg'),('1950','Sion'),('1800','Vevey')],
 'QC': [('H2L 1M2','Montréal'),('G1R 4S9','Québec'),('J4K 2T8','Longueuil'),('H7N 3W5','Laval'),('J1H 5N4','Sherbrooke'),('G8Z 1V6','Trois-Rivières')],
 'GB': [('RG1 4PX','Reading'),('LS6 2QB','Leeds'),('BS7 9NP','Bristol'),('M20 3WE','Manchester'),('NE3 1TR','Newcastle upon Tyne'),('CF24 3HD','Cardiff'),('EH9 1JD','Edinburgh'),('SE15 4QL','London'),('DE22 1FB','Derby'),('SN1 5HG','Swindon'),('NR2 4AA','Norwich')],
 'IE': [('H91 X4P2','Galway'),('T12 RK7C','Cork'),('D06 F8W3','Dublin 6'),('V94 T2XR','Limerick'),('X91 K0E6','Waterford')],
 'US': [('45402','Dayton','OH'),('97202','Portland','OR'),('78704','Austin','TX'),('95814','Sacramento','CA'),('14607','Rochester','NY'),('80203','Denver','CO'),('27601','Raleigh','NC')],
 'CA': [('K7L 3B4','Kingston','ON'),('V8V 2P1','Victoria','BC'),('T2N 1M4','Calgary','AB'),('B3H 1Y6','Halifax','NS'),('M4K 1N2','Toronto','ON'),('R3C 0V8','Winnipeg','MB')],
 'DE': [('50676','Köln'),('04109','Leipzig'),('79098','Freiburg im Breisgau'),('90402','Nürnberg')], 'ES': [('46004','Valencia'),('48009','Bilbao'),('28014','Madrid'),('41001','Sevilla')],
 'IT': [('40121','Bologna'),('10128','Torino'),('50123','Firenze'),('37121','Verona')], 'NL': [('3511 LX','Utrecht'),('9711 KB','Groningen'),('2611 HJ','Delft'),('6211 EG','Maastricht')], 'PT': [('4050-290','Porto'),('3000-213','Coimbra'),('1250-096','Lisboa'),('4700-308','Braga')]}
STREET = {
 'FR': ['{n} rue des Tilleuls','{n} avenue Jean Moulin','{n} boulevard Gambetta','{n} bis rue de la Poterne','{n} impasse des Lavandières','{n} place du Marché','{n} chemin de la Croix-Blanche','{n} allée des Érables','{n} quai Saint-Antoine','{n} rue du Général de Gaulle','{n} cours Lafayette'],
 'BE': ['Rue du Moulin {n}','Avenue des Combattants {n}','Chaussée de Waterloo {n}','Rue Saint-Gilles {n}','Boulevard d’Avroy {n}','Place de la Vaillance {n}'],
 'CH': ['Chemin des Vignes {n}','Rue de la Servette {n}','Avenue de Beaulieu {n}','Route de Berne {n}','Rue du Simplon {n}'],
 'QC': ['{n}4, rue Saint-Denis','{n}50, boulevard Laurier','{n}1, avenue du Parc','{n}7, chemin des Patriotes','{n}2, rue Sherbrooke Est, app. 5'],
 'GB': ['{n} Mill Lane','{n} Station Road','Flat 3, {n} Albert Street','{n} Queens Avenue','{n} Church Close','{n} Victoria Terrace','{n}A Park Crescent','{n} The Drive','{n} Beech Grove'],
 'IE': ['{n} Abbey Street','{n} Sarsfield Road','{n} Cois na hAbhann','Apartment {n}, Mill Court','{n} Marian Park'],
 'US': ['{n}18 Maple Avenue','{n}4 Oak Street Apt 2B','{n}07 Lincoln Boulevard','{n}25 Cedar Ridge Drive','{n}60 SE Division Street'],
 'CA': ['{n} Birch Crescent','{n}0 Wellington Street','Unit {n}, 455 Elgin Street','{n}1 Lakeshore Road','{n}6 Portage Avenue'],
 'DE': ['Lindenstraße {n}','Am Alten Markt {n}','Goethestr. {n}'], 'ES': ['Calle Mayor {n}, 2º B','Avenida de la Constitución {n}','Plaza del Carmen {n}'], 'IT': ['Via Garibaldi {n}','Corso Vittorio Emanuele {n}','Via San Martino {n}'], 'NL': ['Oudegracht {n}','Prinsenstraat {n}','Stationsweg {n}'], 'PT': ['Rua das Flores {n}, 3.º Esq.','Avenida da Liberdade {n}','Travessa do Carmo {n}']}
LANGC = {'FR':'fr','BE':'fr','CH':'fr','QC':'fr','GB':'en','IE':'en','US':'en','CA':'en','DE':'de','ES':'es','IT':'it','NL':'nl','PT':'pt'}
COMPW = {'fr': (['Atelier','Transports','Boulangerie','Menuiserie','Groupe','Cabinet','Garage','Imprimerie','Clinique','Domaine'],['Valmont','des Deux Rives','Corbières','Hautecombe','Larzac','Mirandole','du Viaduc','Belleroche','Trémolat','Sainte-Odile','Quatre-Vents']),
 'en': (['Ashbourne','Kestrel','Larkfield','Tamarack','Northgate','Silverbrook','Ravenscar','Copperline','Merrow','Thornhill','Hollins'],['Logistics','Engineering','Catering','Motors','Consulting','Joinery','Healthcare','Foods','Print & Design','Facilities']),
 'de': (['Rheintal','Baltus','Sonnwend','Krämer & Vogt'],['Elektrotechnik','Möbelwerk','Druckhaus','Metallbau']),'es': (['Talleres','Suministros','Gráficas'],['Aranzadi','del Turia','Monteagudo']),'it': (['Officine','Tipografia','Ferramenta'],['Valsugana','Bellarosa','San Petronio']),'nl': (['Drukkerij','Installatiebedrijf','Bakkerij'],['De Ooievaar','Zuiderkamp','Van Buren']),'pt': (['Oficinas','Gráfica','Construções'],['do Mondego','Serralta','Ribeira Nova'])}
LEGAL = {'FR':['SARL','SAS','SA','EURL'],'BE':['SRL','SA'],'CH':['SA','Sàrl'],'QC':['inc.','ltée'],'GB':['Ltd','Limited','LLP'],'IE':['Ltd','DAC'],'US':['LLC','Inc.'],'CA':['Inc.','Ltd.'],'DE':['GmbH','GmbH & Co. KG'],'ES':['S.L.','S.A.'],'IT':['S.r.l.','S.p.A.'],'NL':['B.V.'],'PT':['Lda.','S.A.']}
BANKS = {'FR':[('Banque Rhodane','BRHDFRP1','17823'),('Crédit Ligérien','CRLGFR2N','14369'),('Caisse Océane','CAOCFRPP','18129')],'BE':[('Banque Meusienne','BAMUBEBB','741'),('Fortuna Banque','FTUNBE22','684')],'CH':[('Banque Lémane','BLEMCH22','08612'),('Caisse Jurassienne','CAJUCH2N','08377')],
 'GB':[('Penrose Bank','PNRSGB2L','40-71-29'),('Severn & Trent Building Society','SVTRGB21','09-04-61'),('Halyard Bank','HLYDGB22','23-84-90')],'IE':[('Shannonside Bank','SHANIE2D','931742'),('Corrib Credit','CORBIE21','990558')],'US':[('First Miami Valley Bank','FMVBUS33','04200031'),('Cascade Mutual','CSCMUS66','12300042')],'CA':[('Northern Prairie Bank','NPRBCAMM','00712')],'QC':[('Caisse Laurentide','CLAUCAM1','00815')],
 'DE':[('Rheinhafenbank','RHHBDEFF','37065980')],'ES':[('Banco Levantino','BLEVESMM','2099')],'IT':[('Banca Emiliana Nuova','BENUIT2B','06399')],'NL':[('Waterstadbank','WASTNL2A','WAST')],'PT':[('Banco do Mondego','BMONPTPL','0077')]}
def luhn(d):
    s = 0
    for i, c in enumerate(reversed(d)):
        n = int(c)
        if i % 2 == 0: n *= 2; n -= 9 * (n > 9)
        s += n
    return str(-s % 10)
def luhn_ok(d): return luhn(d[:-1]) == d[-1]
def digs(r, n): return ''.join(r.choice('0123456789') for _ in range(n))
def alnum2num(s): return ''.join(str(int(c, 36)) for c in s)
def iban_make(cc, bban): return cc + '%02d' % (98 - int(alnum2num(bban + cc + '00')) % 97) + bban
def iban_ok(s):
    s = re.sub(r'\s', '', s); L = dict(FR=27,BE=16,CH=21,GB=22,IE=22,DE=22,ES=24,IT=27,NL=18,PT=25)
    return len(s) == L.get(s[:2]) and int(alnum2num(s[4:] + s[:4])) % 97 == 1
def bank_account(r, c):
    cc = {'QC':'CA'}.get(c, c); name, bic, code = r.choice(BANKS[c]); b = dict(bank=name, bic=bic, iban=None)
    if c == 'FR':
        g, a = digs(r, 5), digs(r, 11); key = '%02d' % (97 - (89*int(code) + 15*int(g) + 3*int(a)) % 97)
        b.update(code=code, guichet=g, account=a, key=key); bban = code + g + a + key
    elif c == 'BE': x = code + digs(r, 7); bban = x + '%02d' % (int(x) % 97 or 97)
    elif c == 'CH': bban = code + digs(r, 12)
    elif c in ('GB', 'IE'):
        sc = code.replace('-', ''); a = digs(r, 8); bban = bic[:4] + sc + a; b.update(sort=f'{sc[:2]}-{sc[2:4]}-{sc[4:]}', account=a)
    elif c == 'DE': bban = code + digs(r, 10)
    elif c == 'ES':
        o, a = digs(r, 4), digs(r, 10); W = (1,2,4,8,5,10,9,7,3,6)
        k = lambda d: {11:0,10:1}.get(11 - sum(int(x)*w for x, w in zip(d, W)) % 11, 11 - sum(int(x)*w for x, w in zip(d, W)) % 11)
        bban = code + o + f"{k('00'+code+o)}{k(a)}" + a
    elif c == 'IT':
        x = code + digs(r, 5) + '0' + digs(r, 11); odd = [1,0,5,7,9,13,15,17,19,21]
        s = sum(odd[int(ch)] if i % 2 == 0 else int(ch) for i, ch in enumerate(x)); bban = chr(65 + s % 26) + x
    elif c == 'NL':
        while True:
            a = '0' + str(r.randint(100000000, 999999999))
            if sum(int(x)*(10-i) for i, x in enumerate(a)) % 11 == 0: break
        bban = code + a
    elif c == 'PT': x = code + digs(r, 4) + digs(r, 11); bban = x + '%02d' % (98 - int(x + '00') % 97)
    elif c == 'US':
        x = code; s = sum(int(d)*w for d, w in zip(x, (3,7,1,3,7,1,3,7))); b.update(routing=x + str(-s % 10), account=digs(r, 10)); return b
    else: b.update(inst=code[2:], transit=digs(r, 5), account=digs(r, 7)); return b
    b['iban'] = iban_make(cc, bban); return b
def grp(s, n=4): return ' '.join(s[i:i+n] for i in range(0, len(s), n))
def siren(r):
    x = r.choice('34589') + digs(r, 7); return x + luhn(x)
def siret(r, s):
    x = s + '000' + r.choice('123') + r.choice('1234567'); return x + luhn(x)
def fr_vat(s): return 'FR%02d%s' % ((12 + 3 * (int(s) % 97)) % 97, s)
def be_num(r): x = '0' + r.choice('45678') + digs(r, 6); return x + '%02d' % (97 - int(x) % 97)
def ch_uid(r):
    while True:
        x = digs(r, 8); k = 11 - sum(int(a)*w for a, w in zip(x, (5,4,3,2,7,6,5,4))) % 11
        if k == 11: k = 0
        if k < 10: x += str(k); return f'CHE-{x[:3]}.{x[3:6]}.{x[6:]}'
def gb_vat(r):
    x = r.choice('1234789') + digs(r, 6); k = sum(int(a)*w for a, w in zip(x, range(8, 1, -1)))
    while k > 0: k -= 97
    x += '%02d' % -k; return f'GB {x[:3]} {x[3:7]} {x[7:]}'
def ie_vat(r):
    x = digs(r, 7); return 'IE' + x + 'WABCDEFGHIJKLMNOPQRSTUV'[sum(int(a)*w for a, w in zip(x, range(8, 1, -1))) % 23]
def de_vat(r):
    x = r.choice('12389') + digs(r, 7); p = 10
    for ch in x: s = (int(ch) + p) % 10 or 10; p = 2*s % 11
    return 'DE' + x + str((11 - p) % 10)
def it_piva(r): x = '0' + digs(r, 9); return 'IT' + x + luhn(x)
def es_cif(r): x = '46' + digs(r, 5); return 'ESB' + x + luhn(x)
def nl_vat(r):
    while True:
        x = r.choice('8') + digs(r, 7); k = sum(int(a)*w for a, w in zip(x, range(9, 1, -1))) % 11
        if k < 10: return f'NL{x}{k}B01'
def pt_nif(r):
    x = '50' + digs(r, 6); k = 11 - sum(int(a)*w for a, w in zip(x, range(9, 1, -1))) % 11; return 'PT' + x + str(0 if k >= 10 else k)
def vat_id(r, c): return {'FR':lambda: fr_vat(siren(r)),'BE':lambda:'BE'+be_num(r),'CH':lambda: ch_uid(r)+' TVA','GB':lambda:gb_vat(r),'IE':lambda:ie_vat(r),'DE':lambda:de_vat(r),'ES':lambda:es_cif(r),'IT':lambda:it_piva(r),'NL':lambda:nl_vat(r),'PT':lambda:pt_nif(r)}[c]()
def nir(r, p):
    x = ('1' if p.sex == 'M' else '2') + p.birth.strftime('%y%m') + r.choice(['69','75','44','31','59','13']) + '%03d' % r.randint(1, 400) + digs(r, 3)
    return x[:1]+' '+x[1:3]+' '+x[3:5]+' '+x[5:7]+' '+x[7:10]+' '+x[10:]+' %02d' % (97 - int(x) % 97)
def be_nn(r, p):
    n = r.randint(0, 498)*2 + (1 if p.sex == 'M' else 2); x = p.birth.strftime('%y%m%d') + '%03d' % n
    k = 97 - int(('2' if p.birth.year >= 2000 else '') + x) % 97; return f'{x[:2]}.{x[2:4]}.{x[4:6]}-{x[6:]}.{k:02d}'
def be_ogm(r):
    x = digs(r, 10); k = int(x) % 97 or 97; x += '%02d' % k; return f'+++{x[:3]}/{x[3:7]}/{x[7:]}+++'
def pps(r):
    x = digs(r, 7); return x + 'WABCDEFGHIJKLMNOPQRSTUV'[(sum(int(a)*w for a, w in zip(x, range(8, 1, -1))) + 9*1) % 23] + 'A'
def nino(r): return r.choice(['AB','JK','NW','PB','SR','TH']) + ' ' + ' '.join(digs(r, 2) for _ in range(3)) + ' ' + r.choice('ABCD')
def sin(r): x = r.choice('145') + digs(r, 7); x += luhn(x); return f'{x[:3]} {x[3:6]} {x[6:]}'
def vin(r, pre='VF1'):
    C = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789'; return pre + ''.join(r.choice(C) for _ in range(8)) + digs(r, 6)
def vin_na(r):
    T = dict(zip('ABCDEFGHJKLMNPRSTUVWXYZ', [1,2,3,4,5,6,7,8,1,2,3,4,5,7,9,2,3,4,5,6,7,8,9])); x = vin(r, '1HG')
    s = sum((int(c) if c.isdigit() else T[c])*w for c, w in zip(x, (8,7,6,5,4,3,2,10,0,9,8,7,6,5,4,3,2))) % 11
    return x[:8] + ('X' if s == 10 else str(s)) + x[9:]
def dvla(r, p):
    y = p.birth.year % 100; mm = p.birth.month + (50 if p.sex == 'F' else 0)
    sur = re.sub(r'[^A-Z]', '', strip(p.last.upper()))
    if sur.startswith('MAC'): sur = 'MC' + sur[3:]
    ini = ''.join(w[0] for w in re.split(r'[ -]', strip(p.first.upper())))[:2]
    return sur[:5].ljust(5, '9') + f'{y//10}{mm:02d}{p.birth.day:02d}{y%10}' + ini.ljust(2, '9') + '9' + r.choice('ABCEFGHJKLM') + r.choice('ABEFGHJKLM')
# --- ICAO 9303
def mchk(s): return str(sum((0 if c == '<' else int(c, 36))*w for c, w in zip(s, (7,3,1)*40)) % 10)
def mname(s):
    s = s.upper().replace('Ä','AE').replace('Ö','OE').replace('Ü','UE').replace('ß','SS')
    return re.sub(r'[^A-Z<]', '', strip(s).replace('’', '').replace("'", '').replace('-', '<').replace(' ', '<'))
def ymd(d): return d.strftime('%y%m%d')
def td3(cc, nat, p, num, exp, opt='', code='P<'):
    l1 = (code + cc.ljust(3,'<') + mname(p.last) + '<<' + mname(p.first)).ljust(44, '<')[:44]; n = num.ljust(9, '<')
    o = opt.ljust(14, '<'); b = n + mchk(n) + nat.ljust(3,'<') + ymd(p.birth) + mchk(ymd(p.birth)) + p.sex + ymd(exp) + mchk(ymd(exp)) + o + (mchk(o) if opt else '<')
    return [l1, b + mchk(b[:10] + b[13:20] + b[21:43])]
def td1(code, cc, nat, p, num, exp, opt1='', opt2=''):
    n = num.ljust(9, '<'); o1 = opt1.ljust(15, '<')
    l1 = code.ljust(2,'<') + cc.ljust(3,'<') + n[:9] + mchk(n[:9]) + o1; o2 = opt2.ljust(11, '<')
    l2 = ymd(p.birth) + mchk(ymd(p.birth)) + p.sex + ymd(exp) + mchk(ymd(exp)) + nat.ljust(3,'<') + o2
    return [l1, l2 + mchk(l1[5:30] + l2[0:7] + l2[8:15] + l2[18:29]), (mname(p.last) + '<<' + mname(p.first)).ljust(30, '<')[:30]]
def td1_be(code, p, num12, exp, nn):  # document numbers of more than 9 characters run on into the optional field
    l1h = num12[:9] + '<' + num12[9:] + mchk(num12); l1 = code.ljust(2,'<') + 'BEL' + l1h.ljust(25, '<')
    l2 = ymd(p.birth) + mchk(ymd(p.birth)) + p.sex + ymd(exp) + mchk(ymd(exp)) + p.nat3.ljust(3,'<') + nn.ljust(11, '<')
    return [l1, l2 + mchk(l1[5:30] + l2[0:7] + l2[8:15] + l2[18:29]), (mname(p.last) + '<<' + mname(p.first)).ljust(30, '<')[:30]]
def mrz_ok(L):
    if len(L) == 3 and len(L[0]) == 30:
        a, b = L[0], L[1]; okn = mchk(a[5:14]) == a[14] if a[14] != '<' else (lambda t: mchk(a[5:14] + t[:-1]) == t[-1])(a[15:30].split('<')[0])
        return okn and mchk(b[:6]) == b[6] and mchk(b[8:14]) == b[14] and mchk(a[5:30]+b[:7]+b[8:15]+b[18:29]) == b[29] and all(len(x) == 30 for x in L)
    if len(L) == 2 and len(L[0]) == 44:
        b = L[1]; return all(len(x) == 44 for x in L) and mchk(b[:9]) == b[9] and mchk(b[13:19]) == b[19] and mchk(b[21:27]) == b[27] and mchk(b[:10]+b[13:20]+b[21:43]) == b[43] and (mchk(b[28:42]) == b[42] or (b[42] == '<' and set(b[28:42]) == {'<'}))
    if len(L) == 2 and len(L[0]) == 36:
        a, b = L; return mchk(b[:12]) == b[12] and mchk(b[27:33]) == b[33] and mchk(a + b[:35]) == b[35]
    return False
def old_cni(p, num, dep, adm):
    a = ('IDFRA' + mname(p.last)[:25]).ljust(30, '<') + dep + adm; b = num + mchk(num) + mname(p.first)[:14].ljust(14, '<') + ymd(p.birth) + mchk(ymd(p.birth)) + p.sex
    return [a, b + mchk(a + b)]
# --- notations
MON = {'fr': 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(), 'en': 'January February March April May June July August September October November December'.split(), 'de': 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(), 'es': 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(), 'it': 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre'.split(), 'nl': 'januari februari maart april mei juni juli augustus september oktober november december'.split(), 'pt': 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'.split()}
def dlong(d, c):
    l = LANGC[c]; m = MON[l][d.month-1]
    if l == 'fr': return f"{'1er' if d.day == 1 else d.day} {m} {d.year}"
    if c in ('US', 'CA'): return f'{m} {d.day}, {d.year}'
    if l == 'de': return f'{d.day}. {m} {d.year}'
    if l in ('es', 'pt'): return f'{d.day} de {m} de {d.year}'
    return f'{d.day} {m} {d.year}'
def dshort(d, c): return d.strftime({'CH':'%d.%m.%Y','DE':'%d.%m.%Y','QC':'%Y-%m-%d','CA':'%Y-%m-%d','US':'%m/%d/%Y','NL':'%d-%m-%Y'}.get(c, '%d/%m/%Y'))
def dmon(d, c):  # month and year
    return f'{MON[LANGC[c]][d.month-1]} {d.year}'
def dabbr(d): return f"{d.day:02d} {MON['en'][d.month-1][:3].upper()} {d.year}"
def num(cents, c):
    i, f = divmod(abs(int(round(cents))), 100); s = f'{i:,}'
    th, de = {'FR':('\u00a0',','),'QC':('\u00a0',','),'BE':('.',','),'CH':("'",'.'),'DE':('.',','),'IT':('.',','),'NL':('.',','),'ES':('.',','),'PT':('\u00a0',',')}.get(c, (',', '.'))
    return ('-' if cents < 0 else '') + s.replace(',', th) + de + f'{f:02d}'
def amt(cents, c):
    n = num(cents, c)
    if c in ('FR','DE','ES','PT'): return n + '\u00a0€'
    if c == 'QC': return n + '\u00a0$'
    if c == 'BE': return n + ' EUR'
    if c == 'CH': return 'CHF ' + n
    if c in ('IT','NL'): return '€ ' + n
    return {'GB':'£','IE':'€'}.get(c, '$') + n
class P: pass
def person(r, c, foreign=False, minage=19, maxage=74):
    p = P(); p.c = c; l = LANGC[c]
    if foreign: p.first, p.sex = r.choice(FIRST_FOREIGN); p.last = r.choice(LAST['FOREIGN'])
    else: p.first, p.sex = r.choice(FIRST[l]); p.last = r.choice(LAST[c])
    if r.random() < .25 and not foreign and ' ' not in p.first and c not in ('DE','NL'):
        f2 = [x for x, s in FIRST[l] if s == p.sex and x != p.first and '-' not in x]
        if f2: p.first = p.first + ' ' + r.choice(f2)
    p.birth = REF - dt.timedelta(days=r.randint(minage*365+20, maxage*365)); z = r.choice(CITY[c]); p.pc, p.city = z[0], z[1]; p.state = z[2] if len(z) > 2 else ''
    p.street = r.choice(STREET[c]).replace('{n}', str(r.randint(2, 96))); p.bplace = r.choice(CITY[c])[1]; p.nat3 = {'FR':'FRA','BE':'BEL','CH':'CHE','QC':'CAN','GB':'GBR','IE':'IRL','US':'USA','CA':'CAN'}.get(c, 'XXX')
    p.cityline = cityline(p); p.full = f'{p.first} {p.last}'; p.civ = {'fr':('M.','Mme'),'en':('Mr','Ms'),'de':('Herr','Frau'),'es':('D.','Dña.'),'it':('Sig.','Sig.ra'),'nl':('Dhr.','Mevr.'),'pt':('Sr.','Sra.')}[l][p.sex == 'F']
    p.iss = p; return p
def cityline(p):
    c = p.c
    if c == 'QC': return f'{p.city} (Québec)  {p.pc}'
    if c == 'US': return f'{p.city}, {p.state} {p.pc}'
    if c == 'CA': return f'{p.city} {p.state}  {p.pc}'
    if c == 'GB' or c == 'IE': return None
    return f'{p.pc} {p.city}'
def addr(p, name=None):
    L = [name or f'{p.civ} {p.full}', p.street]
    return L + ([p.city, p.pc] if p.c in ('GB', 'IE') else [p.cityline])
def company(r, c):
    q = person(r, c); l = LANGC[c]; a, b = COMPW[l]; q.first = q.last = ''
    q.base = f'{r.choice(a)} {r.choice(b)}'; q.legal = r.choice(LEGAL[c]); q.name = f'{q.base} {q.legal}' if r.random() < .8 or l != 'fr' else f'{q.legal} {q.base}'
    q.slug = re.sub(r'[^a-z]', '', strip(q.base.lower()))
    q.addr = ', '.join(([q.street, q.city, q.pc] if c in ('GB','IE') else [q.street, re.sub('  ', ' ', q.cityline)]))
    if c not in ('US','CA','QC'): q.vat = vat_id(r, c)
    q.siren = q.vat[4:] if c == 'FR' else None
    q.tel = {'FR':'04 72 %s %s 18','BE':'04 221 %s %s','CH':'022 731 %s %s','QC':'514 555-01%.1s%.1s','GB':'0118 496 %.2s%.2s','IE':'01 555 %s%s','US':'(555) 555-01%.1s%.1s','CA':'613-555-01%.1s%.1s'}.get(c, '0%s %s 4471') % (digs(r,2), digs(r,2)); return q
def day(r, lo=10, hi=300): return REF - dt.timedelta(days=r.randint(lo, hi))
