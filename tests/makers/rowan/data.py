# -*- coding: utf-8 -*-
"""Invented people, places, companies; check digits."""
import datetime as dt, string, unicodedata

FR_FIRST_F = "Claire Océane Hélène Aurélie Noémie Fatoumata Inès Margaux Solène Élodie Mireille Anaïs Yasmine Clémence Béatrice Ludivine Maëlys Agnès Nathalie Rokhaya Thi-Mai Corinne".split()
FR_FIRST_M = "Julien Théo Mathéo Frédéric Rémi Jérôme Sébastien Karim Bastien Gaël Loïc Amadou Benoît Cédric Étienne Hervé Yannick Raphaël Thibault Mamadou Jean-Luc Pierre-Yves Stéphane".split()
FR_LAST = "Vauquelin Delorme-Fabre Chazelle Berthomieu Lacombe Gauthereau Perrachon Rouvière Desjonquères Lemoigne Benkhelifa Traoré Nguyen-Huu Saint-Clair Bouvatier Chevassus Grandclément Marchandeau Ferreira Ouattara Pélissonnier Thévenoux Guichardet Kowalczyk Bélanger-Roy Mazoyer Dargaud Cossonnet Vuillermoz Haddadou Besançon Jacquemard Rochefort Lavigerie Montcharmont El-Amrani Pouget D'Aubigny Le-Goff Quérel".replace("Le-Goff","Le|Goffic").replace("El-Amrani","El|Amraoui").split()
FR_LAST=[x.replace("|"," ") for x in FR_LAST]
CH_LAST = "Rochat Zurbriggen Pasquier Maillefer Grandjean Bovet-Ducrest Cornaz Chollet Aebischer Lüthold Ferrari-Moret Dubuisson Jaquenoud Perrinjaquet Schnydrig Tscherrig Da|Conceição Krasniqaj".split()
BE_LAST = "Vandenbroucke Lejeunesse Delvigne Wautelet Crutzen Peetersens Hanquinet Demaerschalk Van|Ruysdael Boumediane Libertiaux Dethier Mbuyamba Schoonbroodt Gillardin Colpaert-Noël".split()
QC_LAST = "Tremblay-Côté Laflèche Thibodeau-Roy Desrochers Bourassa-Hébert Charlebois Gingras-Paré Lamontagne Beauséjour Archambaud Deslauriers St-Onge Vaillancourt-Lévis Dufresnoy Nolin Jean-Baptiste".split()
EN_FIRST_F = "Aoife Charlotte Niamh Priya Megan Imogen Siobhán Harriet Keisha Danielle Caoimhe Eleanor Rosalind Zainab Amelia Shauna Deirdre Madison Brianna Kimberly Latoya Heather Wing-Yan Oluwaseun".split()
EN_FIRST_M = "Declan Oliver Cillian Rajesh Callum Fergus Marcus Tyrone Graham Nathaniel Seán Ruairí Desmond Hamish Joshua Brandon Terrence Kofi Wesley Stuart Pádraig Bradley Curtis Emeka".split()
UK_LAST = "Hartnell Ashdowne Pemberley Okonjo Braithwaite-Lee Thistlewood Carrowmore Sandhurst Whitlocke Chaudhari Fairburne Mackelvie Penhallow Standridge Adeyinka Wrigglesworth Gilchrest Rahmanzai Tolliver Llewelyn-Rees".split()
IE_LAST = "O'Dwyer-Kane McGillicuddy Ní|Bhriain O'Sheehan Fitzmaurice Gallogly Mac|Aodha Hanrahanty Kinsellagh Brosnahan Lenehan Tuohigan O'Rourkeson Considine Prendergasty Nowakowski".split()
US_LAST = "Hollingsed Ramirez-Ortega Washburne Delacruz Kowalskey Brennaman Whitfielding Nakashima Petrossian Vandermeer Castellano Okafor-Hill Lindqvist Abernathie Montclair Stovall Tran-Phillips McAllaster".split()
CA_LAST = "MacEachren Sidhuwalia Fraserburgh Leung-Chow Desrosiers Kowalenko Thorburn Papadakis Bhullar Campbellton Nakamura-Reid Olafson Stewardson Abdulrahim Wozniakowski Delaronde".split()
fix=lambda l:[x.replace("|"," ") for x in l]
CH_LAST,BE_LAST,IE_LAST=map(fix,(CH_LAST,BE_LAST,IE_LAST))
DE=dict(f="Annegret Sabine Katharina Jule Birgit Leonie".split(),m="Jürgen Matthias Torsten Günther Lukas Björn".split(),l="Brünnighaus Lindenschmidt Kräutner Oberhäuser Wiesenthaler Grotewold Pfistermüller Schäfermeier".split())
ES=dict(f="Inmaculada Rocío Begoña Marisol Nuria".split(),m="Álvaro Íñigo Joaquín Ramón Borja".split(),l="Zabalegui Peñalver Montoliu Ibáñezcano Carrasquillo Villaseñor Ortuñez".split())
IT=dict(f="Giulia Ornella Federica Loredana".split(),m="Niccolò Gianluca Ettore Massimo".split(),l="Bellincioni Castagnaro Fumagallini Rovereti Spadavecchi Tagliaferro Mondolfi".split())
NL=dict(f="Anneke Marloes Sanne Femke".split(),m="Joris Wouter Thijs Sjoerd".split(),l="Hoogeveld Kuipersma Van|der|Zwaan Brouwershof De|Ridderink Terpstraat".split())
PT=dict(f="Conceição Inês Mafalda Graça".split(),m="João Gonçalo Vítor Simão".split(),l="Figueiredense Quintanilha Sequeirinho Valadarense Brandãozinho Teixeirense".split())
NL["l"]=fix(NL["l"])

FR_STREETS="rue des Tanneurs|avenue Jean-Mermoz|boulevard de la République|rue du Vieux-Moulin|allée des Érables|chemin de la Croix-Blanche|place des Cordeliers|impasse des Glycines|rue Pasteur|quai des Célestins|rue de l'Abbé-Grégoire|cours Lafayette|montée des Carmes|rue Hélène-Boucher"
CH_STREETS="Rue de Carouge|Chemin des Vergers|Avenue de Champel|Route de Chêne|Rue des Eaux-Vives|Chemin du Petit-Bois|Avenue de la Gare|Rue de Lausanne|Place de la Navigation"
BE_STREETS="Rue du Moulin|Avenue des Tilleuls|Chaussée de Waterloo|Rue de la Station|Place Saint-Lambert|Avenue Rogier|Rue Haute|Clos des Mésanges"
QC_STREETS="rue Saint-Hubert|avenue du Mont-Royal Est|boulevard Laurier|rue des Érables|chemin Sainte-Foy|rue Sherbrooke Ouest|avenue De Lorimier|rue King Est"
UK_STREETS="Alder Road|Victoria Terrace|Kingsmead Avenue|St Michael's Hill|Northgate Street|Willow Crescent|Station Approach|Harcourt Lane|Beaconsfield Gardens|The Maltings"
IE_STREETS="Merrion Grove|Castle Avenue|Seapoint Road|Griffith Park|Parnell Street|Main Street|Rathmore Lawn|Glenageary Heights|Patrick's Quay"
US_STREETS="Maple Ave|W 43rd St|Lakeshore Dr|Old Mill Rd|Sycamore St|E Washington Blvd|Pinecrest Ct|Jefferson Ave|Cedar Hollow Ln"
CA_STREETS="Queen Street West|Lakeview Drive|Bloor Street East|Portage Avenue|Granville Street|Maplewood Crescent|Rideau Street|Dundas Street East"
CITIES={
"FR":[("69007","Lyon"),("69100","Villeurbanne"),("75011","Paris"),("13006","Marseille"),("31400","Toulouse"),("38000","Grenoble"),("42100","Saint-Étienne"),("44200","Nantes"),("67000","Strasbourg"),("59800","Lille"),("35700","Rennes"),("74160","Saint-Julien-en-Genevois"),("01210","Ferney-Voltaire"),("69120","Vaulx-en-Velin"),("33800","Bordeaux")],
"CH":[("1207","Genève"),("1227","Carouge GE"),("1203","Genève"),("1217","Meyrin"),("1004","Lausanne"),("1260","Nyon"),("2000","Neuchâtel"),("1700","Fribourg"),("1950","Sion"),("1820","Montreux")],
"BE":[("1060","Saint-Gilles"),("4000","Liège"),("5000","Namur"),("1180","Uccle"),("6000","Charleroi"),("7000","Mons"),("1348","Louvain-la-Neuve"),("1030","Schaerbeek")],
"QC":[("H2L 3Z8","Montréal"),("G1V 2L4","Québec"),("J1G 3R5","Sherbrooke"),("J4K 1B7","Longueuil"),("H7N 4M2","Laval"),("J8X 2K9","Gatineau"),("G9A 5H6","Trois-Rivières")],
"UK":[("LS6 2QT","Leeds"),("M20 3BN","Manchester"),("BS8 1TH","Bristol"),("EH9 2JR","Edinburgh"),("SE15 4PL","London"),("CF24 3DX","Cardiff"),("NE2 4HG","Newcastle upon Tyne"),("B29 6SJ","Birmingham"),("OX4 1LR","Oxford"),("BT9 5FW","Belfast")],
"IE":[("D06 K8P3","Dublin 6"),("D08 X2W7","Dublin 8"),("T12 R5C9","Cork"),("H91 V4E8","Galway"),("V94 N6F2","Limerick"),("A96 H3D1","Dún Laoghaire"),("W23 C7A5","Maynooth"),("X91 P2K4","Waterford")],
"US":[("43215","Columbus, OH"),("98103","Seattle, WA"),("19147","Philadelphia, PA"),("60640","Chicago, IL"),("02139","Cambridge, MA"),("80205","Denver, CO"),("78704","Austin, TX"),("11215","Brooklyn, NY")],
"CA":[("M5V 2T6","Toronto"),("M4Y 1R8","Toronto"),("L5B 3C2","Mississauga"),("K1N 6P4","Ottawa"),("V6B 4N7","Vancouver"),("T2P 1J9","Calgary"),("R3C 4A5","Winnipeg"),("B3J 2K9","Halifax"),("L8P 4R5","Hamilton")],
"DE":[("50674","Köln"),("80469","München"),("04229","Leipzig"),("28203","Bremen")],
"ES":[("28012","Madrid"),("46005","Valencia"),("41004","Sevilla"),("48009","Bilbao")],
"IT":[("20144","Milano"),("40126","Bologna"),("10125","Torino"),("50122","Firenze")],
"NL":[("3512 KP","Utrecht"),("1053 RT","Amsterdam"),("9711 LM","Groningen"),("6511 VA","Nijmegen")],
"PT":[("1200-192","Lisboa"),("4050-313","Porto"),("3000-213","Coimbra"),("4700-314","Braga")]}
CA_PROV={"Toronto":"ON","Mississauga":"ON","Ottawa":"ON","Vancouver":"BC","Calgary":"AB","Winnipeg":"MB","Halifax":"NS","Hamilton":"ON"}
OTHER_STREETS={"DE":"Lindenallee|Bahnhofstraße|Goetheweg|Am Mühlbach","ES":"Calle de la Sal|Avenida del Puerto|Calle San Vicente|Paseo de las Acacias","IT":"Via dei Mille|Corso Garibaldi|Via San Felice|Viale dei Tigli","NL":"Kerkstraat|Lange Nieuwstraat|Wilhelminalaan|Prinsengracht","PT":"Rua das Flores|Avenida da Liberdade|Rua do Almada|Travessa do Carmo"}
LANG={"FR":"fr","CH":"fr","BE":"fr","QC":"fr","UK":"en","IE":"en","US":"en","CA":"en","DE":"de","ES":"es","IT":"it","NL":"nl","PT":"pt"}
CUR={"FR":"EUR","CH":"CHF","BE":"EUR","QC":"CAD","UK":"GBP","IE":"EUR","US":"USD","CA":"CAD","DE":"EUR","ES":"EUR","IT":"EUR","NL":"EUR","PT":"EUR"}
ISO2={"QC":"CA","UK":"GB"}
ISO3={"FR":"FRA","CH":"CHE","BE":"BEL","QC":"CAN","UK":"GBR","IE":"IRL","US":"USA","CA":"CAN"}

def strip_acc(s):
    s=s.replace("ß","ss").replace("œ","oe").replace("Œ","OE")
    return "".join(c for c in unicodedata.normalize("NFD",s) if not unicodedata.combining(c))

def digits(r,n,first=True):
    s="".join(r.choice("0123456789") for _ in range(n))
    if first and s[0]=="0": s=r.choice("123456789")+s[1:]
    return s
def letters(r,n,al="ABCDEFGHJKLMNPRSTUVWXYZ"): return "".join(r.choice(al) for _ in range(n))
def luhn_digit(s):
    t=0
    for i,c in enumerate(reversed(s)):
        d=int(c)
        if i%2==0:
            d*=2
            if d>9:d-=9
        t+=d
    return str((10-t%10)%10)
def luhn_ok(s): return luhn_digit(s[:-1])==s[-1]

class Person:
    def __init__(self,r,c,adult=True,nat=None):
        self.sex=r.choice("FM"); n=nat or c
        if c in("DE","ES","IT","NL","PT"):
            P={"DE":DE,"ES":ES,"IT":IT,"NL":NL,"PT":PT}[c]; F,M,L=P["f"],P["m"],P["l"]
        else:
            fr=LANG[c]=="fr"
            F,M=(FR_FIRST_F,FR_FIRST_M) if fr else (EN_FIRST_F,EN_FIRST_M)
            L={"FR":FR_LAST,"CH":CH_LAST,"BE":BE_LAST,"QC":QC_LAST,"UK":UK_LAST,"IE":IE_LAST,"US":US_LAST,"CA":CA_LAST}[c]
        self.first=r.choice(F if self.sex=="F" else M)
        self.second=r.choice([x for x in (F if self.sex=="F" else M) if x!=self.first and "-" not in x])
        self.last=r.choice(L)
        if c=="ES": self.last+=" "+r.choice([x for x in L if x!=self.last])
        self.birth=dt.date(r.randint(1954,2004),r.randint(1,12),r.randint(1,28))
        self.c=c
        self.street,self.pc,self.city,self.lines=address(r,c)

def address(r,c):
    pc,city=r.choice(CITIES[c]); n=r.randint(1,198)
    if c=="FR":
        st=f"{n}{r.choice(['','','','','bis ']) and ' bis'} {r.choice(FR_STREETS.split('|'))}"; return st,pc,city,[st,f"{pc} {r.choice([city,city.upper()])}"]
    if c in("CH","BE"):
        st=f"{r.choice((CH_STREETS if c=='CH' else BE_STREETS).split('|'))} {n}"
        if c=="BE" and r.random()<.4: st+=f" bte {r.randint(1,24)}"
        return st,pc,city,[st,f"{pc} {city}"]
    if c=="QC":
        n=r.randint(120,8900); st=f"{n}, {r.choice(QC_STREETS.split('|'))}"+(f", app. {r.randint(1,40)}" if r.random()<.5 else "")
        pc=_capc(r,pc); return st,pc,city,[st,f"{city} (Québec) {pc}"]
    if c=="UK":
        st=(f"Flat {r.randint(1,14)}, " if r.random()<.3 else "")+f"{n} {r.choice(UK_STREETS.split('|'))}"; pc=pc.split()[0]+" "+r.choice("123456789")+letters(r,2,"ABDEFGHJLNPQRSTUWXYZ")
        return st,pc,city,[st,city,pc]
    if c=="IE":
        st=(f"Apt {r.randint(1,60)}, " if r.random()<.3 else "")+f"{n} {r.choice(IE_STREETS.split('|'))}"; pc=pc.split()[0]+" "+letters(r,1,"ACDEFHKNPRTVWXY")+r.choice("0123456789")+letters(r,1,"ACDEFHKNPRTVWXY")+r.choice("0123456789")
        return st,pc,city,[st,city,pc]
    if c=="US":
        st=f"{r.randint(102,9800)} {r.choice(US_STREETS.split('|'))}"+(f" Apt {r.randint(1,9)}{r.choice('ABCD')}" if r.random()<.4 else "")
        return st,pc,city.split(",")[0],[st,f"{city} {pc}"]
    if c=="CA":
        st=(f"{r.randint(2,31):d}{r.randint(1,12):02d}-" if r.random()<.4 else "")+f"{r.randint(12,2900)} {r.choice(CA_STREETS.split('|'))}"; pc=_capc(r,pc)
        return st,pc,city,[st,f"{city} {CA_PROV[city]}  {pc}".replace("  "," ")]
    if c=="NL": pc=pc.split()[0]+" "+letters(r,2)
    sn=r.choice(OTHER_STREETS[c].split("|")); st=f"{sn}, {n}" if c in("ES","IT","PT") else f"{sn} {n}"
    return st,pc,city,[st,f"{pc} {city}"]
def _capc(r,pc): return pc[:4]+r.choice("123456789")+letters(r,1,"ABCEGHJKLMNPRSTVWXYZ")+r.choice("123456789")

# --- numbers
def iban_cd(cc,bban):
    s=bban+cc+"00"; n=int("".join(str(int(ch,36)) for ch in s)); return f"{98-n%97:02d}"
def iban_ok(s):
    s=s.replace(" ",""); 
    L={"FR":27,"BE":16,"CH":21,"GB":22,"IE":22,"DE":22,"ES":24,"IT":27,"NL":18,"PT":25,"LU":20}
    if len(s)!=L.get(s[:2]): return False
    return int("".join(str(int(ch,36)) for ch in s[4:]+s[:4]))%97==1
FRMAP=str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ","12345678912345678923456789")
BANKS={"FR":[("Banque Rhône-Alpine de Crédit","BRACFR2L","18706"),("Crédit Populaire des Confluences","CPCFFRPP","14508"),("Banque du Vieux-Port","BVPTFR2M","11907"),("Néoba","NEOBFR21","19233")],
"CH":[("Banque Régionale du Léman","BRLGCHGG","08765"),("Caisse d'Épargne du Salève","CESVCH22","08411"),("Helvia Bank SA","HLVICHZZ","08902")],
"BE":[("Banque Meuse & Sambre","BMSBBEBB","973"),("Crédit Brabançon","CRBRBE22","978")],
"QC":[("Caisse populaire du Fleuve","CPDFCAMM","815"),("Banque Boréale du Québec","BBQCCAM1","869")],
"UK":[("Calder & Wharfe Bank plc","CAWHGB2L","CAWH"),("Northmoor Building Society","NMBSGB21","NMBS"),("Kestrel Bank UK","KSTRGB22","KSTR")],
"IE":[("Liffey Savings Bank","LFSBIE2D","LFSB"),("Kestrel Bank Europe DAC","KSTRIE22","KSTR"),("Shannonside Credit DAC","SHCDIE21","SHCD")],
"US":[("First Prairie National Bank","FPNBUS44",""),("Harborline Savings Bank","HLSBUS33","")],
"CA":[("Dominion Lakes Bank","DLBKCATT","853"),("Western Prairie Credit Union","WPCUCA2W","879")],
"DE":[("Rheinauer Volksbank eG","RHAUDE33","37069991")],"ES":[("Banco del Turia","BTURESMM","2917")],"IT":[("Banca Lariana","LARIIT22","03987")],"NL":[("Lekstroom Bank N.V.","LEKSNL2U","LEKS")],"PT":[("Banco do Mondego","BMDGPTPL","0917")]}
def make_iban(r,c,bank=None):
    b=bank or r.choice(BANKS[c]); k=b[2]; cc=ISO2.get(c,c)
    if c=="FR":
        g=digits(r,5); a=(letters(r,1) if r.random()<.2 else "0")+digits(r,10,False)
        key=97-((89*int(k)+15*int(g)+3*int(a.translate(FRMAP)))%97); bb=f"{k}{g}{a}{key:02d}"
    elif c=="CH": bb=k+digits(r,12,False)
    elif c=="BE":
        s=k+digits(r,7,False); m=int(s)%97 or 97; bb=s+f"{m:02d}"
    elif c in("UK","IE"): bb=k+(digits(r,6) if c=="UK" else "9"+digits(r,5,False))+digits(r,8)
    elif c=="DE": bb=k+digits(r,10)
    elif c=="ES":
        o=digits(r,4,False); a=digits(r,10)
        def cd(s,W):
            d=11-sum(int(x)*w for x,w in zip(s,W))%11; return {11:"0",10:"1"}.get(d,str(d))
        bb=k+o+cd("00"+k+o,[1,2,4,8,5,10,9,7,3,6])+cd(a,[1,2,4,8,5,10,9,7,3,6])+a
    elif c=="IT":
        s=k+digits(r,5,False)+digits(r,12,False)
        odd=[1,0,5,7,9,13,15,17,19,21]; t=sum(odd[int(x)] if i%2==0 else int(x) for i,x in enumerate(s)); bb=chr(65+t%26)+s
    elif c=="NL":
        while 1:
            a=digits(r,10)
            if sum(int(x)*(10-i) for i,x in enumerate(a))%11==0: break
        bb=k+a
    elif c=="PT":
        s=k+digits(r,4,False)+digits(r,11,False); bb=s+f"{98-int(s+'00')%97:02d}"
    else: return None,b
    ib=cc+iban_cd(cc,bb)+bb; assert iban_ok(ib),ib
    return ib,b
def grp(s,n=4): return " ".join(s[i:i+n] for i in range(0,len(s),n))

def siren(r):
    s=r.choice("3456789")+digits(r,7,False); return s+luhn_digit(s)
def siret(r,sn):
    s=sn+"000"+r.choice("1234")+r.choice("0123456789"); return s[:13]+luhn_digit(s[:13])
def tva_fr(sn): return f"FR{(12+3*(int(sn)%97))%97:02d}{sn}"
def bce(r):
    s="0"+r.choice("4567")+digits(r,6,False); c=97-int(s)%97; return f"{s[:4]}.{s[4:7]}.{s[7:]}{c:02d}"
def che(r):
    while 1:
        s=digits(r,8); m=11-sum(int(a)*b for a,b in zip(s,[5,4,3,2,7,6,5,4]))%11
        if m==11:m=0
        if m!=10: break
    s+=str(m); return f"CHE-{s[:3]}.{s[3:6]}.{s[6:]}"
def avs(r):
    s="756"+digits(r,9,False); c=(10-sum(int(x)*(3 if i%2 else 1) for i,x in enumerate(s))%10)%10; s+=str(c)
    return f"{s[:3]}.{s[3:7]}.{s[7:11]}.{s[11:]}"
def nir(r,p):
    s=("2" if p.sex=="F" else "1")+p.birth.strftime("%y%m")+r.choice(["69","75","38","42","13","59"])+f"{r.randint(1,380):03d}{r.randint(1,600):03d}"
    k=97-int(s)%97; return f"{s[0]} {s[1:3]} {s[3:5]} {s[5:7]} {s[7:10]} {s[10:]} {k:02d}"
def niss(r,p):
    o=r.randrange(2,998,2) if p.sex=="F" else r.randrange(1,998,2)
    s=p.birth.strftime("%y%m%d")+f"{o:03d}"; k=97-int(("2" if p.birth.year>=2000 else "")+s)%97
    return f"{s[:2]}.{s[2:4]}.{s[4:6]}-{s[6:]}.{k:02d}"
def vat_gb(r):
    s=digits(r,7); t=sum(int(a)*b for a,b in zip(s,range(8,1,-1))); c=97-t%97 if t%97 else 97
    c=(97-(t%97)); return f"GB {s[:3]} {s[3:]} {c:02d}"
def pps(r):
    s=digits(r,7); t=sum(int(a)*b for a,b in zip(s,range(8,1,-1)))+9*1; return s+("W"+"ABCDEFGHIJKLMNOPQRSTUV")[t%23]+"A"
def vat_ie(r):
    s=digits(r,7); t=sum(int(a)*b for a,b in zip(s,range(8,1,-1)))+9*8; return "IE"+s+("W"+"ABCDEFGHIJKLMNOPQRSTUV")[t%23]+"H"
def ni(r): return f"{letters(r,1,'ABCEHJLMPRSTWXY')}{letters(r,1,'ABCEHJLMPRSTWXZ')} {digits(r,2,0)} {digits(r,2,0)} {digits(r,2,0)} {r.choice('ABCD')}"
def bn(r):
    s=r.choice("78")+digits(r,7,False); s+=luhn_digit(s); return s
def vat_de(r):
    s=digits(r,8); p=10
    for ch in s:
        x=(int(ch)+p)%10 or 10; p=(2*x)%11
    c=(11-p)%10; return "DE"+s+str(c)
def cif_es(r):
    s=digits(r,7); t=sum(int(x) for x in s[1::2])+sum(sum(divmod(2*int(x),10)) for x in s[0::2]); return "B"+s+str((10-t%10)%10)
def piva(r):
    s=digits(r,10,False); return s+luhn_digit(s)
def btw(r):
    while 1:
        s=digits(r,8); c=sum(int(a)*b for a,b in zip(s,range(9,1,-1)))%11
        if c<10: return f"NL{s}{c}B01"
def nif_pt(r):
    s="5"+digits(r,7,False); c=11-sum(int(a)*b for a,b in zip(s,range(9,1,-1)))%11; return s+str(0 if c>9 else c)

# --- MRZ
def mrz_cd(s):
    t=0
    for i,c in enumerate(s):
        v=0 if c=="<" else int(c) if c.isdigit() else ord(c)-55
        t+=v*(7,3,1)[i%3]
    return str(t%10)
def mrz_name(last,first,n):
    f=lambda x:"".join(ch if ch.isalpha() else "<" if ch in " -" else "" for ch in strip_acc(x.replace("ü","ue").replace("ö","oe").replace("ä","ae") if 0 else x).upper())
    return (f(last)+"<<"+f(first)).ljust(n,"<")[:n]
def td1(code,iss,num,birth,sex,exp,nat,last,first,opt=""):
    num=num.ljust(9,"<"); l1=f"{code:<2}".replace(" ","<")+iss+num+mrz_cd(num)+opt.ljust(15,"<")
    b=birth.strftime("%y%m%d"); e=exp.strftime("%y%m%d")
    l2=b+mrz_cd(b)+sex+e+mrz_cd(e)+nat+"<"*11
    l2+=mrz_cd(l1[5:30]+l2[0:7]+l2[8:15]+l2[18:29])
    return [l1,l2,mrz_name(last,first,30)]
def td3(iss,num,birth,sex,exp,nat,last,first):
    num=num.ljust(9,"<"); b=birth.strftime("%y%m%d"); e=exp.strftime("%y%m%d"); opt="<"*14
    l1="P<"+iss+mrz_name(last,first,39)
    l2=num+mrz_cd(num)+nat+b+mrz_cd(b)+sex+e+mrz_cd(e)+opt+"<"
    l2+=mrz_cd(l2[0:10]+l2[13:20]+l2[21:43])
    return [l1,l2]
def mrz_ok(L):
    if len(L)==3:
        return all(len(x)==30 for x in L) and mrz_cd(L[0][5:14])==L[0][14] and mrz_cd(L[1][:6])==L[1][6] and mrz_cd(L[1][8:14])==L[1][14] and mrz_cd(L[0][5:30]+L[1][0:7]+L[1][8:15]+L[1][18:29])==L[1][29]
    l=L[1]; return all(len(x)==44 for x in L) and mrz_cd(l[:9])==l[9] and mrz_cd(l[13:19])==l[19] and mrz_cd(l[21:27])==l[27] and mrz_cd(l[0:10]+l[13:20]+l[21:43])==l[43]

# --- formats
MONTHS={"fr":"janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(),"en":"January February March April May June July August September October November December".split(),
"de":"Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),"es":"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(),"it":"gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre".split(),"nl":"januari februari maart april mei juni juli augustus september oktober november december".split(),"pt":"janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split()}
def money(v,c,sym=True):
    neg="-" if v<0 else ""; v=abs(round(v+1e-9,2)); i,f=f"{v:.2f}".split("."); 
    def g(s,sep):
        o=""
        while len(s)>3: o=sep+s[-3:]+o; s=s[:-3]
        return s+o
    if c=="FR": t=g(i," ")+","+f; return neg+t+(" €" if sym else "")
    if c=="CH": t=g(i,"'")+"."+f; return ("CHF " if sym else "")+neg+t
    if c=="QC": t=g(i," ")+","+f; return neg+t+(" $" if sym else "")
    if c in("BE","DE","ES","IT","PT"): t=g(i,".")+","+f; return neg+t+(" €" if sym else "")
    if c=="NL": t=g(i,".")+","+f; return ("€ " if sym else "")+neg+t
    s={"UK":"£","IE":"€","US":"$","CA":"$"}[c]; return neg+(s if sym else "")+g(i,",")+"."+f
def fdate(d,c,style=0):
    l=LANG[c]; m=MONTHS[l][d.month-1]
    if style==1:
        if l=="fr": return f"{'1er' if d.day==1 else d.day} {m} {d.year}"
        if c in("US","CA"): return f"{m} {d.day}, {d.year}"
        if l=="en": return f"{d.day} {m} {d.year}"
        if l=="de": return f"{d.day}. {m} {d.year}"
        if l in("es","pt"): return f"{d.day} de {m} de {d.year}"
        return f"{d.day} {m} {d.year}"
    if style==2:
        if l=="en": return f"{d.day:02d} {m[:3].upper()} {d.year}"
        return f"{d.day:02d}.{d.month:02d}.{d.year}" if c!="QC" else d.isoformat()
    return {"FR":d.strftime("%d/%m/%Y"),"BE":d.strftime("%d/%m/%Y"),"CH":d.strftime("%d.%m.%Y"),"QC":d.isoformat(),"UK":d.strftime("%d/%m/%Y"),"IE":d.strftime("%d/%m/%Y"),"US":d.strftime("%m/%d/%Y"),"CA":d.isoformat(),
    "DE":d.strftime("%d.%m.%Y"),"NL":d.strftime("%d-%m-%Y")}.get(c,d.strftime("%d/%m/%Y"))
COMPA={"fr":["Atelier","Ets","Groupe","Maison","Société","Cabinet","Menuiserie","Transports","Imprimerie","Garage"],"en":["Harrow","Kingsbridge","Blackthorn","Old Quay","Silverbirch","Copperfield","Larkspur","Stonegate","Greenhollow","Ironwood"]}
COMPB={"fr":["Berthoux","Lanvallay","des Deux Rives","Sauvignac","Morestel","Valserine","Quintaine","Rochebelle","Ardoisière","Montbrillant"],"en":["Logistics","Joinery","Consulting","Foods","Interiors","Analytics","Motors","Print Works","Landscapes","Technologies"]}
SUF={"FR":["SARL","SAS","SA","EURL"],"CH":["SA","Sàrl"],"BE":["SRL","SA"],"QC":["inc.","ltée"],"UK":["Ltd","plc","LLP"],"IE":["Ltd","DAC"],"US":["LLC","Inc."],"CA":["Inc.","Ltd."],"DE":["GmbH","AG"],"ES":["S.L.","S.A."],"IT":["S.r.l.","S.p.A."],"NL":["B.V."],"PT":["Lda.","S.A."]}
OTHERCO={"DE":["Tischlerei Hagedornsen","Bürobedarf Lammersiek","Elektro Wischnowetz"],"ES":["Reformas Almoraima","Imprenta Torrealba","Suministros Ebrosur"],"IT":["Officine Valtesino","Tipografia Mirabelli","Arredi Castelvero"],"NL":["Drukkerij Oosterwold","Installatiebedrijf Kornhoek","Kantoorhuis Veldzicht"],"PT":["Carpintaria Minhota","Gráfica Ribeirinha","Oficinas Serralves Norte"]}
def company(r,c):
    l=LANG[c]
    base=r.choice(OTHERCO[c]) if c in OTHERCO else f"{r.choice(COMPA[l])} {r.choice(COMPB[l])}"
    return f"{base} {r.choice(SUF[c])}"
def regline(r,c):
    """printed legal line, and company number"""
    if c=="FR":
        s=siren(r); t=siret(r,s); return f"SIRET {s[:3]} {s[3:6]} {s[6:9]} {t[9:]} – TVA intracom. {tva_fr(s)}",s
    if c=="CH": u=che(r); return f"{u} TVA",u
    if c=="BE": u=bce(r); return f"TVA BE {u} – RPM",u
    if c=="QC": b=bn(r); return f"TPS {b} RT0001 – TVQ 10{digits(r,8)} TQ0001",b
    if c=="UK": n=r.choice(["0","1"])+digits(r,7); return f"Registered in England and Wales No. {n} – VAT Reg. No. {vat_gb(r)}",n
    if c=="IE": n=digits(r,6); return f"Registered in Ireland No. {n} – VAT No. {vat_ie(r)}",n
    if c=="US": e=f"{r.randint(20,87)}-{digits(r,7,0)}"; return f"EIN {e}",e
    if c=="CA": b=bn(r); return f"GST/HST {b} RT0001",b
    if c=="DE": v=vat_de(r); return f"USt-IdNr. {v} – Amtsgericht HRB {digits(r,5)}",v
    if c=="ES": v=cif_es(r); return f"CIF {v} – Inscrita en el Registro Mercantil",v
    if c=="IT": v=piva(r); return f"P. IVA {v} – C.F. {v}",v
    if c=="NL": v=btw(r); return f"KvK {digits(r,8)} – Btw-nr. {v}",v
    v=nif_pt(r); return f"NIPC {v} – Matriculada na C.R.C.",v
